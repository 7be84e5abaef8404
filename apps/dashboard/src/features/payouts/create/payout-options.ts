import type { Recipient } from '@kassa/contract/recipients/schemas.ts'
import { t } from '@lingui/core/macro'

import { networkName } from '../../../labels/networks/network-name.ts'
import { shortAddress } from '../../../lib/text/format.ts'
import { recipientProblem } from './new-payout.ts'

/** Says why there is no currency to choose yet. */
export function emptyText(hasRecipient: boolean, state: 'loading' | 'failed' | 'known'): string {
  if (!hasRecipient) return t`Choose a recipient first`
  if (state === 'failed') return t`Couldn’t be loaded`
  return state === 'known' ? t({ message: 'None', comment: 'no currency' }) : t`Loading…`
}

/** A recipient as it is chosen, with why it cannot be paid now. */
export function recipientOption(recipient: Recipient) {
  const { id, name, address, blockchainCode } = recipient
  const problem = recipientProblem(recipient)
  const label = `${name} · ${shortAddress(address)} · ${networkName(blockchainCode)}`
  return { value: String(id), label: problem === undefined ? label : `${label} (${problem})` }
}
