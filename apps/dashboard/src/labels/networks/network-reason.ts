import { INACTIVE_REASONS } from '@kassa/contract/blockchains/inactive-reasons.ts'
import { NETWORK_NOTICES, STOP_REASONS } from '@kassa/contract/blockchains/reading-reasons.ts'
import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import { plural, t } from '@lingui/core/macro'

import { usd } from '../../lib/text/format.ts'
import { reasonText, type Words } from '../reason-text.ts'
import { NETWORK_WORDS } from './network-words.ts'

const REASONS = { ...INACTIVE_REASONS, ...STOP_REASONS }

const NOTICES: Words<typeof NETWORK_NOTICES> = {
  block_unreadable: ({ height }) => t`Block ${height} could not be read as a whole, and it names an address of yours.`,
  internal_transfers_hidden: ({ network, height }) =>
    t`The node shows nothing of what contracts pass on, up to block ${height}: such deposits are missed, and ${network}’s own coin is not swept. Switch vm.saveInternalTx on in the node, or use another one, then read these blocks again.`,
  finality_stalled: ({ height, minutes, fromUSD }) => {
    const time = plural(minutes, { one: '# minute', other: '# minutes' })
    if (fromUSD === null) return t`Nothing has become final above block ${height} for ${time}. Deposits wait for it.`
    const amount = usd(fromUSD)
    return t`Nothing has become final above block ${height} for ${time}. Deposits of ${amount} or more wait for it; smaller ones follow their depth.`
  },
  unknown_notice: ({ text }) => text,
}

/** Returns why a network is inactive or is not read, in the words of the screen. */
export function networkCauseText(cause: Parameters<typeof reasonText<typeof REASONS>>[2]): string {
  return reasonText(REASONS, NETWORK_WORDS, cause)
}

/** Returns why a network is inactive or is not read; null while it is read. */
export function networkReason({ cause, reason }: Pick<Blockchain, 'cause' | 'reason'>): string | null {
  return cause === null ? reason : networkCauseText(cause)
}

/** Returns what to know about a network that is read; null when there is nothing. */
export function networkNotice({ noticeCause, notice }: Pick<Blockchain, 'noticeCause' | 'notice'>): string | null {
  return noticeCause === null ? notice : reasonText(NETWORK_NOTICES, NOTICES, noticeCause)
}
