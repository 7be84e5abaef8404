/** How states of payouts are drawn, and why one waits. */
import type { WithdrawalState } from '@kassa/contract/withdrawals/machine.ts'
import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { lacksApprovers, PAYOUT_WAITS, type PayoutWaits } from '@kassa/contract/withdrawals/waits.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'

import { dayAndMinute } from '../lib/time/time.ts'
import { networkName } from './networks/network-name.ts'
import { type Badge, type Look, badgeOf } from './payment-labels.ts'
import { reasonText, type Words } from './reason-text.ts'

export const PAYOUT_STATES: Readonly<Record<WithdrawalState, Look>> = {
  'pending-approval': { tone: 'warning', word: msg`Needs approval` },
  pending: { tone: 'info', word: msg({ message: 'Queued', context: 'a payout' }) },
  initiated: { tone: 'progress', word: msg({ message: 'Signed', context: 'a payout' }) },
  sent: { tone: 'progress', word: msg({ message: 'Sent', context: 'a payout' }) },
  processed: { tone: 'success', word: msg({ message: 'Paid', context: 'a payout' }) },
  failed: { tone: 'danger', word: msg({ message: 'Failed', context: 'a payout' }) },
  rejected: { tone: 'neutral', word: msg({ message: 'Rejected', context: 'a payout' }) },
  cancelled: { tone: 'neutral', word: msg({ message: 'Cancelled', context: 'a payout' }) },
}

type Shown = Pick<Withdrawal, 'status' | 'confirmations' | 'confirmationRequired'>

/** Returns the badge of a payout; one that is sent says how deep it is. */
export function payoutBadge({ status, confirmations, confirmationRequired }: Shown): Badge {
  if (status === 'sent') {
    return { tone: 'progress', word: t`Sent ${confirmations}/${confirmationRequired}`, wire: status }
  }
  return badgeOf(PAYOUT_STATES[status], status)
}

const WAITS: Words<PayoutWaits> = {
  APPROVAL: ({ given, needed, able }) => {
    const left = needed - given
    const needs =
      given === 0
        ? plural(needed, { one: 'Needs # approval', other: 'Needs # approvals' })
        : plural(left, { one: `Needs # more of ${needed} approvals`, other: `Needs # more of ${needed} approvals` })
    if (!lacksApprovers({ given, needed, able })) return needs
    const people = plural(able, { 0: 'nobody is left who may approve', other: 'only # may still approve' })
    return t`${needs}; ${people}`
  },
  PAUSED: () => t`Sending is paused`,
  LIMIT: ({ until }) => (until === null ? t`Over a limit of the policy` : untilText(until)),
  EMAIL_CHANGED: ({ until }) => {
    const time = dayAndMinute(new Date(until))
    return t`The promoter’s e-mail was changed: payable from ${time}`
  },
  INSUFFICIENT_FUNDS: ({ currency, chain }) => t`The hot wallet needs more ${currency} on ${networkName(chain)}`,
  GAS: ({ currency, chain }) => t`The hot wallet needs ${currency} on ${networkName(chain)} for the network fee`,
  FEE_TOO_HIGH: ({ chain }) => t`The network fee on ${networkName(chain)} is too high now`,
  NO_WALLET: ({ chain }) => t`No hot wallet sends payouts on ${networkName(chain)}`,
  NO_PRICE: ({ currency }) => t`No trustworthy price of ${currency} now`,
  WOULD_FAIL: ({ reason }) => t`The network would refuse it: ${reason}`,
  WALLET_LOCKED: () => t`The hot wallet is locked: its key was used elsewhere`,
  BUSY: () => t`The hot wallet has enough under way; it follows`,
  CHAIN_DOWN: ({ chain }) => t`No node of ${networkName(chain)} answers`,
  ASSET_OFF: ({ currency, chain }) => t`Payouts in ${currency} on ${networkName(chain)} are switched off`,
  VAULT_LOCKED: () => t`The vault of the hot wallet is locked`,
  CONFIRMATIONS: ({ current, required }) => t`${current} of ${required} confirmations`,
  STUCK: () => t`The network fee is above the ceiling`,
}

function untilText(until: string): string {
  const time = dayAndMinute(new Date(until))
  return t`The address is new: payable from ${time}`
}

/** Returns why a payout will wait once it is approved; undefined where nothing is known of that. */
export function payoutWaitNext({ waitsNext }: Pick<Withdrawal, 'waitsNext'>): string | undefined {
  return waitsNext === null ? undefined : reasonText(PAYOUT_WAITS, WAITS, waitsNext)
}

/** Returns why a payout waits; undefined for one that waits for nothing. */
export function payoutWait({ waits }: Pick<Withdrawal, 'waits'>): string | undefined {
  return waits === null ? undefined : reasonText(PAYOUT_WAITS, WAITS, waits)
}

/** Returns what to do about a payout that too few people may still approve; undefined for any other. */
export function approverAdvice({ waits }: Pick<Withdrawal, 'waits'>): string | undefined {
  if (waits?.code !== 'APPROVAL' || !lacksApprovers(waits.params)) return undefined
  const { permission } = waits.params
  return t`Give a member a role with ${permission}, or cancel the payout.`
}

const TYPES: Readonly<Record<Withdrawal['type'], MessageDescriptor>> = {
  payout: msg`Payout`,
  payout_merchant: msg`Payout by API key`,
  withdrawal: msg`Referral reward`,
}

/** Returns what kind of payout it is. */
export function payoutType({ type, refundOfReferenceID }: Pick<Withdrawal, 'type' | 'refundOfReferenceID'>): string {
  return refundOfReferenceID === null ? t(TYPES[type]) : t`Refund`
}

/** Returns who is paid: by name, else by e-mail. */
export function payeeName({ recipientName, recipientEmail }: Withdrawal): string | undefined {
  return recipientName ?? recipientEmail ?? undefined
}
