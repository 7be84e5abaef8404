/** How sweeps are drawn, and why money stays where it is. */
import type { SweepState } from '@kassa/contract/sweeps/machine.ts'
import { SWEEP_WAITS, type SweepWait, type SweepWaits } from '@kassa/contract/sweeps/reasons.ts'
import type { BalanceRow, Sweep, SweepTrigger } from '@kassa/contract/sweeps/schemas.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

import { paths } from '../lib/paths.ts'
import { assetAmount, shortAddress, shortHash, usd } from '../lib/text/format.ts'
import { dayAndMinute } from '../lib/time/time.ts'
import { networkName } from './networks/network-name.ts'
import { type Badge, type Look, badgeOf } from './payment-labels.ts'
import { reasonText, type Words } from './reason-text.ts'

export const SWEEP_LOOKS: Readonly<Record<SweepState, Look>> = {
  planned: { tone: 'info', word: msg({ message: 'Planned', context: 'a sweep' }) },
  'sweep-initiated': { tone: 'progress', word: msg({ message: 'Started', context: 'a sweep' }) },
  broadcast: { tone: 'progress', word: msg({ message: 'Sent', context: 'a sweep' }) },
  completed: { tone: 'success', word: msg({ message: 'Swept', context: 'a sweep' }) },
  'sweep-cancelled': { tone: 'neutral', word: msg({ message: 'Cancelled', context: 'a sweep' }) },
  failed: { tone: 'danger', word: msg({ message: 'Failed', context: 'a sweep' }) },
}

/** Returns the badge of a sweep; one that is sent says how deep it is, one with failed addresses how many came. */
export function sweepBadge(
  sweep: Pick<
    Sweep,
    'status' | 'confirmations' | 'confirmationRequired' | 'failedCount' | 'sweptCount' | 'addressCount'
  >,
): Badge {
  const { status, confirmations, confirmationRequired, failedCount, sweptCount, addressCount } = sweep
  if (status === 'broadcast') {
    return { tone: 'progress', word: t`Sent ${confirmations}/${confirmationRequired}`, wire: status }
  }
  if (status === 'completed' && failedCount > 0) {
    return { tone: 'warning', word: t`Swept ${sweptCount} of ${addressCount}`, wire: status }
  }
  return badgeOf(SWEEP_LOOKS[status], status)
}

const TRIGGERS: Readonly<Record<SweepTrigger, MessageDescriptor>> = {
  manual: msg`By hand`,
  amount: msg({ message: 'Amount', comment: 'what started a sweep: enough money was there' }),
  count: msg({ message: 'Count', comment: 'what started a sweep: enough addresses had a balance' }),
  time: msg({ message: 'Time', comment: 'what started a sweep: money had waited long enough' }),
  foreign: msg({ message: 'Someone else', comment: 'who started a sweep' }),
}

/** Returns what started a sweep, and who where it was a person. */
export function triggerText({ trigger, startedBy }: Pick<Sweep, 'trigger' | 'startedBy'>): string {
  return startedBy === null ? t(TRIGGERS[trigger]) : startedBy.email
}

const at = (time: string) => dayAndMinute(new Date(time))

const WAITS: Words<SweepWaits> = {
  LOW_NATIVE_BALANCE: ({ amount, currency }) => t`The hot wallet needs about ${assetAmount(amount, currency)} more`,
  GAS_TOO_HIGH: ({ current, allowed, unit }) =>
    t`Network fees are above the limit right now: ${current} of ${allowed} ${unit}`,
  HOT_WALLET_MISSING: ({ chain }) => t`No hot wallet pays network fees on ${networkName(chain)}`,
  FUND_SWEEPER_NOT_DEPLOYED: ({ chain }) => t`The wallet has no sweep contract in use on ${networkName(chain)}`,
  DEPOSIT_NOT_DEPLOYED_LOW_GAS: ({ amount, currency }) =>
    t`Its first sweep costs more: the hot wallet needs about ${assetAmount(amount, currency)} more`,
  DEPOSIT_NOT_DEPLOYED_FUND_SWEEPER_MISSING: ({ chain }) =>
    t`Its first sweep needs the sweep contract on ${networkName(chain)}`,
  NODE_CONNECTION_FAILED: ({ chain }) => t`No node of ${networkName(chain)} answers`,
  COLLECTOR_CHANGE_PENDING: ({ proposed, until }) =>
    t`The owner proposes another collector, ${shortAddress(proposed)}, from ${at(until)} on. Until then sweeps go to the current one`,
  TOKEN_REFUSED: ({ address, message }) =>
    message === null
      ? t`The token refuses to move money of ${shortAddress(address)}`
      : t`The token refuses to move money of ${shortAddress(address)}: ${message}`,
  BELOW_FEE: ({ valueInUSD, costInUSD }) => t`Below the fee: moving ${usd(valueInUSD)} costs ${usd(costInUSD)}`,
  BELOW_MINIMUM: ({ minimum, missing, currency }) =>
    t`Below minimum: ${assetAmount(minimum, currency)} per address, ${assetAmount(missing, currency)} short`,
  NOT_DUE: ({ minimumInUSD, until }) =>
    until === null
      ? t`Swept by itself from ${usd(minimumInUSD)} on`
      : t`Swept by itself from ${usd(minimumInUSD)} on, or at ${at(until)}`,
  WAITS_FOR_SIGNATURE: ({ until }) => t`Waits for a signature of your device, at most until ${at(until)}`,
  NEEDS_PERMISSION: () => t`Needs permission: the key of each address signs once`,
  PERMISSION_STALE: () => t`The permission cannot be used any more: sign again`,
  QUARANTINED: () => t`A deposit there is on hold`,
  DEPOSIT_GONE: () => t`The network took its deposit back, or someone else moved its money`,
  ADDRESS_LOCKED: ({ until }) => t`Part of another sweep until ${at(until)}`,
  VAULT_LOCKED: () => t`The vault of the hot wallet is locked`,
  WALLET_LOCKED: () => t`The hot wallet is locked: its key was used elsewhere`,
  COLD_WALLET_MISSING: ({ chain }) => t`No active cold wallet on ${networkName(chain)}`,
  COLD_WALLET_TOO_NEW: ({ address, until }) =>
    t`The cold wallet ${shortAddress(address)} waits: usable from ${at(until)}`,
  NO_PRICE: ({ currency }) => t`No trustworthy price of ${currency} now`,
  WOULD_FAIL: ({ reason }) => t`The network would refuse it: ${reason}`,
  BUSY: () => t`The hot wallet has enough under way; it follows`,
  STUCK: () => t`The network fee is above the ceiling`,
  CONFIRMATIONS: ({ current, required }) => t`${current} of ${required} confirmations`,
  WAITS_FOR_TRANSACTION: ({ until }) => t`Waits for the transaction of your wallet until ${at(until)}`,
  TRANSACTION_NOT_SEEN: ({ txHash }) => t`No block took ${shortHash(txHash)} in time; its addresses are free again`,
  TRANSACTION_MISMATCH: ({ txHash }) => t`The transaction ${shortHash(txHash)} does something else`,
  TRANSACTION_FAILED: ({ txHash, reason }) => t`The transaction ${shortHash(txHash)} moved nothing: ${reason}`,
}

type Waits = BalanceRow['waits']

/** Returns why money stays or a sweep waits; undefined where nothing stands in its way. */
export function sweepWait(waits: Waits): string | undefined {
  return waits === null ? undefined : reasonText(SWEEP_WAITS, WAITS, waits)
}

/** What several addresses wait for, in a word or two. */
const SHORT: Partial<Record<SweepWait, MessageDescriptor>> = {
  LOW_NATIVE_BALANCE: msg`hot wallet low`,
  GAS_TOO_HIGH: msg`network fees too high`,
  HOT_WALLET_MISSING: msg`no hot wallet`,
  FUND_SWEEPER_NOT_DEPLOYED: msg`no sweep contract`,
  BELOW_FEE: msg`below the fee`,
  BELOW_MINIMUM: msg`below minimum`,
  NOT_DUE: msg`swept by themselves`,
  NEEDS_PERMISSION: msg`needs permission`,
  PERMISSION_STALE: msg`permission out of date`,
  QUARANTINED: msg`on hold`,
  ADDRESS_LOCKED: msg`in another sweep`,
  COLD_WALLET_MISSING: msg`no active cold wallet`,
  TOKEN_REFUSED: msg`refused by the token`,
  VAULT_LOCKED: msg`vault locked`,
}

/** Returns a reason in a word or two, for a count of addresses. */
export function shortWait(waits: NonNullable<Waits>): string {
  const short = SHORT[waits.code]
  return short === undefined ? (sweepWait(waits) ?? '') : t(short)
}

/** Whether a text can be the hash of a transaction that wallets send; whether there is one the server says. */
export function isTransactionHash(text: string): boolean {
  return /^(0x)?[0-9a-f]{64}$/i.test(text)
}

export type WayOut = { readonly href: string; readonly label: string }

const WAYS_OUT: Partial<Record<NonNullable<Waits>['code'], () => WayOut>> = {
  LOW_NATIVE_BALANCE: () => ({ href: paths.hotWallets(), label: t`Top up` }),
  DEPOSIT_NOT_DEPLOYED_LOW_GAS: () => ({ href: paths.hotWallets(), label: t`Top up` }),
  HOT_WALLET_MISSING: () => ({ href: paths.hotWallets(), label: t`Add hot wallet` }),
  WALLET_LOCKED: () => ({ href: paths.hotWallets(), label: t`Open hot wallets` }),
  FUND_SWEEPER_NOT_DEPLOYED: () => ({ href: paths.deploySweepContract(), label: t`Deploy contract` }),
  DEPOSIT_NOT_DEPLOYED_FUND_SWEEPER_MISSING: () => ({ href: paths.deploySweepContract(), label: t`Deploy contract` }),
  NODE_CONNECTION_FAILED: () => ({ href: paths.blockchains(), label: t`Check node` }),
  VAULT_LOCKED: () => ({ href: paths.vault(), label: t`Unlock` }),
  COLD_WALLET_MISSING: () => ({ href: paths.depositWallets(), label: t`Add cold wallet` }),
  COLLECTOR_CHANGE_PENDING: () => ({ href: paths.depositWallets(), label: t`Veto` }),
  QUARANTINED: () => ({ href: paths.payments({ projectId: 'all' }, { view: 'unmatched' }), label: t`Open` }),
}

/** Returns the screen on which a person ends a wait; undefined where none is needed. */
export function wayOutOf(waits: Waits): WayOut | undefined {
  return waits ? WAYS_OUT[waits.code]?.() : undefined
}
