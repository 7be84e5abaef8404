import { type CancelReason, paymentMachine, type PaymentState } from '@kassa/contract/payments/machine.ts'
import type { EventType } from '@kassa/contract/webhooks/events.ts'
import { canMove } from '@kassa/primitives/machine.ts'
import { describe, expect, it } from 'vitest'
import { explore, type Step, stuck } from '../../../testing/explore.ts'
import type { Deposit } from '../../deposits/service.ts'
import { type PinnedPayment, isUnapplied } from './deposit-rules.ts'
import { allocate } from '../crediting/allocation-rules.ts'
import { dispositionOf } from '../crediting/finality-rules.ts'
import { recompute } from './recompute-rules.ts'
import { appliedAs, acceptBlockedBy, applyBlockedBy } from '../resolution/rules.ts'

/**
 * A payment with up to four deposits, everything that can happen to them on the chain, by the clock and by a person, in
 * every order: searched completely, by the rules of the program itself (money.md 8.2).
 */
type Model = {
  readonly status: PaymentState
  readonly cancelReason: CancelReason | null
  readonly clock: number
  readonly expiresAt: number
  readonly accepted: bigint | null
  readonly seenUnits: bigint
  readonly filledUnits: bigint
  readonly deposits: readonly Money[]
}

/** `own` counts for the payment, `late` is shown with it, `none` is the customer's and for no payment. */
type Money = {
  readonly is: Deposit['status']
  readonly link: 'own' | 'late' | 'none'
  readonly late: boolean
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** In time, after the end but within the grace, after the grace. */
const CLOCKS = [0, 4 * HOUR, 80 * HOUR]
const POLICY = { underpaidTolerancePercent: '0.5', overpaidTolerancePercent: '1', lateGraceHours: 24 }
const EACH = 60_000_000n
const DOLLAR = 10n ** 18n
const ASSET = {
  id: 7,
  blockchainId: 1,
  blockchainCode: 'ETH',
  currencyCode: 'USDC',
  address: '',
  decimals: 6,
  isStable: true,
}

const START: Model = {
  status: 'OPEN',
  cancelReason: null,
  clock: 0,
  expiresAt: 15 * MINUTE,
  accepted: null,
  seenUnits: 0n,
  filledUnits: 0n,
  deposits: [],
}

const paymentOf = (model: Model, dueUnits: bigint): PinnedPayment =>
  ({
    ...model,
    id: 1n,
    expiresAt: new Date(model.expiresAt),
    rateLockedUntil: null,
    createdAt: new Date(0),
    acceptance: model.accepted === null ? null : { leastUnits: model.accepted },
    quote: { dueUnits, price: DOLLAR, quotedAt: new Date(0), asset: ASSET },
  }) as unknown as PinnedPayment

const nowOf = ({ clock }: Model) => new Date(CLOCKS[clock] ?? 0)

function depositOf({ is, link, late }: Money, at: number): Deposit {
  return {
    blockchainId: 1,
    assetId: ASSET.id,
    txId: String(at),
    leg: 'log:0',
    status: is,
    reason: link === 'late' ? 'late' : null,
    late,
    units: EACH,
    usdAtSeen: '60.00',
    countedUnits: link === 'own' ? EACH : null,
    countedUsd: null,
    paymentId: link === 'none' ? null : 1n,
    quarantineReason: null,
  } as unknown as Deposit
}

/** Recomputes the payment from its deposits, by the function of the program; returns the emitted events. */
function recomputed(model: Model, dueUnits: bigint, isReopened = false): { to: Model; emitted: readonly EventType[] } {
  const { payment, events } = recompute({
    payment: paymentOf(model, dueUnits),
    deposits: model.deposits.flatMap((money, at) => (money.link === 'none' ? [] : [depositOf(money, at)])),
    policy: POLICY,
    assets: new Map([[ASSET.id, ASSET]]),
    tips: new Map(),
    now: nowOf(model),
    isReopened,
  })
  const { status, cancelReason, seenUnits, filledUnits, expiresAt } = payment
  return {
    to: { ...model, status, cancelReason, seenUnits, filledUnits, expiresAt: expiresAt.getTime() },
    emitted: events,
  }
}

/** Money as the rules take it when it is seen now. */
function arrival(model: Model, dueUnits: bigint): Money {
  const transfer = { asset: ASSET, units: EACH, blockTime: nowOf(model), isAccepted: true, usd: 60_000_000n }
  const { paymentId, reason, late } = allocate(transfer, [paymentOf(model, dueUnits)], POLICY)
  const link = paymentId === null ? 'none' : isUnapplied(reason) ? 'late' : 'own'
  const isAfterGrace = nowOf(model).getTime() > model.expiresAt + POLICY.lateGraceHours * HOUR
  // Rows 12 to 14
  if (link === 'own' && isAfterGrace) throw new Error('Money after the grace counts')
  return { is: 'seen', link, late }
}

type Cause =
  | 'seen'
  | 'final'
  | 'held'
  | 'released'
  | 'taken back'
  | 'applied'
  | 'taken away'
  | 'accepted'
  | 'cancelled'
  | 'time passes'

/** Everything that may happen next: the cause, the money it is about, and what it makes of the model before it is recomputed. */
function happenings(
  model: Model,
  dueUnits: bigint,
  most: number,
): { cause: Cause; money: Money | null; next: Model }[] {
  const payment = paymentOf(model, dueUnits)
  const some: { cause: Cause; money: Money | null; next: Model }[] = []
  const add = (cause: Cause, next: Partial<Model>, money: Money | null = null) =>
    some.push({ cause, money, next: { ...model, ...next } })
  const change = (cause: Cause, at: number, money: Money) =>
    add(cause, { deposits: model.deposits.with(at, plain(money)) }, model.deposits[at])
  if (model.deposits.length < most) add('seen', { deposits: [...model.deposits, arrival(model, dueUnits)] })
  if (model.clock + 1 < CLOCKS.length) add('time passes', { clock: model.clock + 1 })
  if (acceptBlockedBy(payment) === null) add('accepted', { accepted: model.filledUnits })
  const isCancellable = paymentMachine.moves.cancel.from.some((state) => state === model.status)
  if (isCancellable && model.seenUnits === 0n) {
    for (const cancelReason of ['merchant', 'superseded'] as const) {
      add('cancelled', { status: 'CANCELLED', cancelReason, expiresAt: nowOf(model).getTime() })
    }
  }
  model.deposits.forEach((money, at) => {
    if (model.deposits.findIndex((other) => keyOfMoney(other) === keyOfMoney(money)) !== at) return
    const applied: Money = {
      is: 'applied',
      link: 'own',
      late: appliedAs({ blockTime: nowOf(model) }, ASSET, payment).late,
    }
    if (money.is === 'seen') {
      const deposit = depositOf(money, at)
      change('final', at, { ...money, is: dispositionOf(deposit).status })
      change('held', at, { ...money, is: dispositionOf({ ...deposit, quarantineReason: 'AMOUNT_MISMATCH' }).status })
    }
    const isItsOwn = money.is === 'quarantined' && money.link !== 'none'
    if (money.is === 'quarantined' && (isItsOwn || applyBlockedBy(payment) === null)) change('released', at, applied)
    if (money.is === 'unapplied' && applyBlockedBy(payment) === null) change('applied', at, applied)
    if (money.is === 'applied') change('taken away', at, { is: 'unapplied', link: 'none', late: false })
    if (money.is === 'reverted') change('seen', at, arrival(model, dueUnits))
    else change('taken back', at, { ...money, is: 'reverted' })
  })
  return some
}

/** Money that counts for nothing is the same whatever it was: when it counts again, the rules are asked again. */
function plain(money: Money): Money {
  const isIdle = money.is === 'unapplied' || money.is === 'reverted'
  return isIdle ? { is: money.is, link: 'none', late: false } : money
}

const keyOfMoney = ({ is, link, late }: Money) => `${is} ${link} ${late}`
const keyOf = ({ status, cancelReason, clock, expiresAt, accepted, deposits }: Model) =>
  `${status} ${cancelReason} ${clock} ${expiresAt} ${accepted} ${deposits.map(keyOfMoney).toSorted().join()}`

const FILLS: readonly string[] = ['payment.partially_filled', 'payment.filled', 'payment.over_filled']

/** The events that the table of money.md 3.5 allows, by cause; the rows are named. */
const EMITTED: Readonly<Record<Cause, (emitted: readonly string[], money: Money | null) => boolean>> = {
  // 3, 12
  seen: (emitted) => emitted.length === 0,
  // 4, 5, 6, 13; 14 for what stays unapplied
  final: (emitted, money) => (money?.link === 'own' ? isOneFill(emitted) : emitted.length === 0),
  held: (emitted) => emitted.length === 0,
  released: isOneFill,
  // 16: an event each time money left the payment, and never a fill
  'taken back': (emitted, money) =>
    emitted[0] === 'payment.reopened'
      ? money?.is === 'applied' && emitted.slice(1).every((one) => !FILLS.includes(one))
      : money?.is !== 'applied' && emitted.every((one) => one === 'payment.cancelled'),
  // 17
  applied: isOneFill,
  'taken away': (emitted) => emitted[0] === 'payment.reopened' && emitted.slice(1).every((one) => !FILLS.includes(one)),
  // 15
  accepted: (emitted) => emitted.join() === 'payment.filled',
  // 8, 9
  cancelled: (emitted) => emitted.length === 0,
  // 7, 10, 11
  'time passes': (emitted) => ['', 'payment.cancelled', 'payment.expired_partial'].includes(emitted.join()),
}

function isOneFill(emitted: readonly string[]): boolean {
  const [first, ...rest] = emitted
  return FILLS.includes(first ?? '') && rest.every((one) => one === 'payment.expired_partial')
}

/** The definition of money.md 3.5, read from the page and not from the program. */
function statusByTheTable(before: Model, after: Model, dueUnits: bigint): PaymentState {
  const own = after.deposits.filter(({ link }) => link === 'own')
  const f = EACH * BigInt(own.filter(({ is }) => is === 'applied').length)
  const s = f + EACH * BigInt(own.filter(({ is }) => is === 'seen' || is === 'quarantined').length)
  if (f > dueUnits) return 'OVER_FILLED'
  if (f === dueUnits) return 'FILLED'
  if (f > 0n) return after.accepted !== null && f >= after.accepted ? 'FILLED' : 'PARTIALLY_FILLED'
  if (before.status === 'CANCELLED') return 'CANCELLED'
  const isEnded =
    nowOf(after).getTime() >= after.expiresAt || ['superseded', 'merchant'].includes(after.cancelReason ?? '')
  return isEnded && s === 0n ? 'CANCELLED' : 'OPEN'
}

/** Takes every step from a model and holds it against the table. */
function* stepsFrom(
  model: Model,
  { dueUnits, most }: { dueUnits: bigint; most: number },
  edges: Set<string>,
  pathTo: () => string,
): Iterable<Step<Model>> {
  const again = recomputed(model, dueUnits)
  if (keyOf(again.to) !== keyOf(model) || again.emitted.length > 0) throw new Error(`Not stable: ${pathTo()}`)
  for (const { cause, money, next } of happenings(model, dueUnits, most)) {
    const { to, emitted } = recomputed(next, dueUnits, cause === 'taken back')
    const where = () => `${pathTo()} → ${cause}: ${model.status} → ${to.status}, emitted ${emitted.join()}`
    if (to.status !== model.status) {
      edges.add(`${model.status} → ${to.status}`)
      if (!canMove(paymentMachine, model.status, to.status)) throw new Error(`An edge outside the table: ${where()}`)
    }
    if (to.status !== statusByTheTable(next, to, dueUnits)) throw new Error(`Not the table’s status: ${where()}`)
    if (!EMITTED[cause](emitted, money)) throw new Error(`Not the table’s event: ${where()}`)
    if (cause === 'taken back' && model.status !== 'CANCELLED' && to.expiresAt < nowOf(to).getTime() + HOUR) {
      throw new Error(`No time to pay again: ${where()}`)
    }
    yield [cause, to]
  }
}

/** Every deposit has its final disposition: counted for a paid payment, or unapplied. */
function isDecided({ status, deposits }: Model): boolean {
  const isPaid = status === 'FILLED' || status === 'OVER_FILLED'
  return deposits.every(({ is }) => is === 'unapplied' || is === 'reverted' || (is === 'applied' && isPaid))
}

/** What brings money to rest without any more of it. */
const WAYS: readonly string[] = [
  'final',
  'released',
  'applied',
  'taken away',
  'accepted',
  'time passes',
] satisfies Cause[]

/** Every edge of the machine, as the search names them. */
const EDGES = Object.values(paymentMachine.moves).flatMap(({ from, to }) =>
  from.filter((state) => state !== to).map((state) => `${state} → ${to}`),
)

/** Some seconds of work, however busy the machine. */
const SEARCH_WITHIN_MS = 120_000

describe('payments.model', () => {
  const edges = new Set<string>()
  const causes = new Set<string>()

  it.each([
    ['half of one deposit', 30_000_000n, 3],
    ['one deposit', 60_000_000n, 3],
    ['one deposit and a half', 90_000_000n, 3],
    ['two deposits', 120_000_000n, 4],
  ])('holds in every state of a payment of %s', { timeout: SEARCH_WITHIN_MS }, (_, dueUnits, most) => {
    const reached = explore(START, keyOf, (model, pathTo) => stepsFrom(model, { dueUnits, most }, edges, pathTo))
    for (const { next } of reached.values()) for (const [cause] of next) causes.add(cause)
    const dead = stuck(reached, isDecided, (what) => WAYS.includes(what))
    expect(dead.map(({ path }) => path.join(' → ')).slice(0, 3)).toEqual([])
    expect(reached.size).toBeGreaterThan(1_000)
  })

  it('covers every transition of the machine and every event', () => {
    expect([...causes].toSorted()).toEqual(Object.keys(EMITTED).toSorted())
    expect([...edges].toSorted()).toEqual([...new Set(EDGES)].toSorted())
  })
})
