/** Why a transaction is not (yet) credited: one verdict from what the database and the nodes know (money.md 3.7). */
import type { DepositReason } from '@kassa/contract/deposits/reasons.ts'
import type { DiagnosisVerdict } from '@kassa/contract/payments/diagnosis.ts'
import type { DepositState } from '@kassa/contract/deposits/machine.ts'

/** A live deposit of the transaction that the asker may see. */
export type KnownDeposit = {
  readonly id: bigint
  readonly paymentId: bigint | null
  readonly status: DepositState
  readonly reason: DepositReason | null
  readonly confirmations: number
  readonly confirmationsRequired: number
  readonly money: Money
}

/** Money of one asset on one blockchain. */
export type Money = {
  readonly currencyCode: string
  readonly blockchainCode: string
  /** Decimal text. */
  readonly amount: string
  readonly paidTo: string
}

/** What one blockchain knows of the transaction. */
export type Sighting = {
  readonly blockchainCode: string
  /** `silent`: no node of it could be asked. */
  readonly state: 'unknown' | 'pending' | 'replaced' | 'expired' | 'failed' | 'included' | 'silent'
  /** The block it is in, when it is in one. */
  readonly height: number | null
  /** How far Kassa has read; null when this blockchain is not read here. */
  readonly readTo: number | null
  readonly confirmationsRequired: number
  readonly transfers: readonly Money[]
  /** Transfers of unlisted tokens. */
  readonly foreign: readonly { readonly contract: string; readonly to: string }[]
}

export type Question = {
  /** The payment that is asked about; null when an operator asks about the transaction alone. */
  readonly payment: {
    readonly id: bigint
    readonly asked: Pick<Money, 'currencyCode' | 'blockchainCode'> | null
  } | null
  /** The addresses of the asker: those of the payment's customer. */
  readonly addresses: ReadonlySet<string>
  readonly known: readonly KnownDeposit[]
  readonly sightings: readonly Sighting[]
}

/** Why the verdict was reached, where one verdict has several sentences; `unrecorded`: it was asked for without a hash. */
export type Cause =
  | 'counted'
  | 'counted_elsewhere'
  | 'seen'
  | 'missed'
  | 'late'
  | 'quarantined'
  | 'unapplied'
  | 'unwatched'
  | 'behind'
  | 'silent'
  | 'contract'
  | 'currency'
  | 'unrecorded'
  | null

export type Decision = {
  readonly verdict: DiagnosisVerdict
  readonly cause: Cause
  readonly money: Money | null
  readonly blockchainCode: string | null
  readonly confirmations: number | null
  readonly confirmationsRequired: number | null
  /** Blocks between what Kassa has read and the transaction. */
  readonly lagBlocks: number | null
  /** The contract of an unlisted token. */
  readonly contract: string | null
  readonly depositId: bigint | null
  /** The chain has a transfer to the asker that is not in the database: read it again. */
  readonly isMissed: boolean
}

export const NOTHING: Decision = {
  verdict: 'not_found',
  cause: null,
  money: null,
  blockchainCode: null,
  confirmations: null,
  confirmationsRequired: null,
  lagBlocks: null,
  contract: null,
  depositId: null,
  isMissed: false,
}

/** Decides the verdict: what is recorded outranks what a node reports, and a found transfer outranks all other sightings. */
export function diagnose(question: Question): Decision {
  const known = bestKnown(question)
  if (known && known.status !== 'reverted') return ofDeposit(known, question)
  const found = firstOf(
    question.sightings,
    (one) => paying(one, question),
    (one) => payingUnlisted(one, question),
    (one) => (one.state === 'pending' ? { verdict: 'pending' } : null),
    elsewhere,
    // Checked before a failed transaction: the money may be on its way in the transaction that replaced this one.
    (one) => (one.state === 'replaced' ? { verdict: 'replaced' } : null),
    (one) => (one.state === 'failed' || one.state === 'expired' ? { verdict: 'failed_on_chain' } : null),
    (one) => (one.state === 'silent' ? { verdict: 'chain_behind', cause: 'silent' } : null),
  )
  return found ?? NOTHING
}

/** Prefers the payment's own deposit, then one that no payment has, then one of another payment. */
function bestKnown({ payment, known }: Question): KnownDeposit | undefined {
  const live = known.filter(({ status }) => status !== 'reverted')
  if (!payment) return live[0]
  return (
    live.find(({ paymentId }) => paymentId === payment.id) ??
    live.find(({ paymentId }) => paymentId === null) ??
    live[0]
  )
}

function ofDeposit(deposit: KnownDeposit, { payment }: Question): Decision {
  const asked = payment?.asked ?? null
  const { money, status, reason, paymentId } = deposit
  const facts: Decision = {
    ...NOTHING,
    money,
    blockchainCode: money.blockchainCode,
    confirmations: deposit.confirmations,
    confirmationsRequired: deposit.confirmationsRequired,
    depositId: deposit.id,
  }
  if (payment && paymentId !== null && paymentId !== payment.id) return { ...NOTHING, verdict: 'not_yours' }
  if (status === 'quarantined') return { ...facts, verdict: 'held', cause: 'quarantined' }
  if (status === 'ignored' || reason === 'below_minimum') {
    return reason === 'own' ? { ...NOTHING, verdict: 'not_yours' } : { ...facts, verdict: 'below_minimum' }
  }
  if (status === 'applied') return { ...facts, verdict: 'credited', cause: countedCause(deposit) }
  const isMeant = paymentId !== null && reason !== 'late' && reason !== 'wrong_asset'
  if (isMeant && status !== 'unapplied') return { ...facts, verdict: 'confirming', cause: 'seen' }
  return { ...facts, ...unappliedAs(deposit, asked) }
}

function countedCause({ reason }: KnownDeposit): Cause {
  return reason === 'other_network' ? 'counted_elsewhere' : 'counted'
}

/** Recorded, and unapplied until an operator decides. */
function unappliedAs({ reason, money }: KnownDeposit, asked: Pick<Money, 'currencyCode' | 'blockchainCode'> | null) {
  if (reason === 'late') return { verdict: 'held', cause: 'late' } as const
  if (asked && money.currencyCode !== asked.currencyCode) return { verdict: 'wrong_token', cause: 'currency' } as const
  if (asked && money.blockchainCode !== asked.blockchainCode)
    return { verdict: 'wrong_network', cause: 'unapplied' } as const
  return { verdict: 'held', cause: 'unapplied' } as const
}

type Found = Partial<Decision> & Pick<Decision, 'verdict'>

/** The first kind of result that any blockchain gives. */
function firstOf(
  sightings: readonly Sighting[],
  ...kinds: readonly ((sighting: Sighting) => Found | null)[]
): Decision | null {
  for (const kind of kinds) {
    for (const sighting of sightings) {
      const found = kind(sighting)
      if (found) return { ...NOTHING, blockchainCode: sighting.blockchainCode, ...found }
    }
  }
  return null
}

/** A transfer to the asker that is not recorded: not read yet, missed, or on a blockchain that is not followed. */
function paying(sighting: Sighting, { payment, addresses }: Question): Found | null {
  const money = sighting.transfers.find(({ paidTo }) => addresses.has(paidTo))
  const { height, readTo } = sighting
  if (!money || height === null) return null
  if (readTo === null) return { verdict: 'wrong_network', cause: 'unwatched', money }
  if (height > readTo) return { verdict: 'chain_behind', cause: 'behind', money, lagBlocks: height - readTo }
  const asked = payment?.asked ?? null
  const found = { money, isMissed: true, cause: 'missed' } as const
  if (asked && money.currencyCode !== asked.currencyCode) return { ...found, verdict: 'wrong_token' }
  if (asked && money.blockchainCode !== asked.blockchainCode) return { ...found, verdict: 'wrong_network' }
  const { confirmationsRequired } = sighting
  const confirmations = Math.min(readTo - height + 1, confirmationsRequired - 1)
  return { ...found, verdict: 'confirming', confirmations, confirmationsRequired }
}

function payingUnlisted(sighting: Sighting, { addresses }: Question): Found | null {
  const foreign = sighting.foreign.find(({ to }) => addresses.has(to))
  return foreign ? { verdict: 'wrong_token', cause: 'contract', contract: foreign.contract } : null
}

/** It is in a block and pays addresses of others. */
function elsewhere(sighting: Sighting): Found | null {
  if (sighting.state !== 'included') return null
  const [money = null] = sighting.transfers
  return { verdict: 'wrong_address', money }
}
