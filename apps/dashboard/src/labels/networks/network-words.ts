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
 * Returns why a network is inactive or is not read. It takes the parameters as they come: the first page has no room for the
 * code that reads them.
 */
export function networkStopText({ code, params, text }: Printed): string {
  const say: ((filled: never) => string) | undefined = Object.hasOwn(NETWORK_WORDS, code)
    ? NETWORK_WORDS[code as keyof typeof NETWORK_WORDS]
    : undefined
  return say ? say(params as never) : text
}
