import type { INACTIVE_REASONS } from '@kassa/contract/blockchains/inactive-reasons.ts'
import type { STOP_REASONS } from '@kassa/contract/blockchains/reading-reasons.ts'
import { t } from '@lingui/core/macro'

import type { Printed, Words } from '../reason-text.ts'
import { haltText } from './halt-text.ts'

/** Why a network is inactive or is not read, in the words of the screen. */
export const NETWORK_WORDS: Words<typeof INACTIVE_REASONS & typeof STOP_REASONS> = {
  not_started: () => t`Switch it on: its local chain starts with it.`,
  no_node: () => t`Add a node.`,
  switched_off: () => t`Switched off by an operator.`,
  local_chain_failed: ({ error }) => error,
  halted: ({ halt }) => haltText(halt),
  read_failed: ({ error }) => error,
  no_process: () => t`No process reads this network right now.`,
}

/**
 * Returns why a network is inactive or is not read. The first page has no room for the code that reads parameters: a reason
 * with parameters stays as the server wrote it.
 */
export function networkStopText({ code, text }: Printed): string {
  switch (code) {
    case 'not_started':
    case 'no_node':
    case 'switched_off':
    case 'no_process':
      return NETWORK_WORDS[code]({})
    default:
      return text
  }
}
