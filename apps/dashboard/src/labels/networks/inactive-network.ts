import { INACTIVE_REASONS } from '@kassa/contract/blockchains/inactive-reasons.ts'
import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import { t } from '@lingui/core/macro'

import { reasonText, type Words } from '../reason-text.ts'

const WORDS: Words<typeof INACTIVE_REASONS> = {
  not_started: () => t`Switch it on: its local chain starts with it.`,
  no_node: () => t`Add a node.`,
  switched_off: () => t`Switched off by an operator.`,
  local_chain_failed: ({ error }) => error,
}

/** Returns why a network is inactive, in the words of the screen. */
export function inactiveText(cause: Parameters<typeof reasonText<typeof INACTIVE_REASONS>>[2]): string {
  return reasonText(INACTIVE_REASONS, WORDS, cause)
}

/** Returns why a network is inactive or is not read; null while it is. */
export function networkReason({ cause, reason }: Pick<Blockchain, 'cause' | 'reason'>): string | null {
  return cause === null ? reason : inactiveText(cause)
}
