import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

import { fail } from '@kassa/contract/kit/api-error.ts'
import type { PaymentPublic } from '@kassa/contract/payments/schemas.ts'
import type { Context } from '../../context.ts'
import { remembered } from '../../memory.ts'
import { getByReference } from '../payments/payment/service.ts'
import { publicPayment } from '../payments/views/service.ts'

/** Streams one address may hold open per payment, and all addresses together (api.md Y7). */
const MAX_STREAMS = { ofAddress: 3, inAll: 50 }
/** A stream ends this long after its payment ended. */
const AFTER_END_MS = 10 * 60_000
const FINAL = new Set(['FILLED', 'OVER_FILLED', 'CANCELLED'])

/** A payment with open streams, which share what is read of it. */
type Source = {
  /** Open streams by network. */
  readonly streams: Map<string, number>
  /**
   * Reads the payment once after each change, whichever stream asks first; returns the same object when nothing visible
   * changed.
   */
  readonly latest: () => Promise<PaymentPublic>
  /** The same, read within the last second. */
  readonly recent: () => Promise<PaymentPublic>
  /** Resolves at the next change. */
  readonly changed: () => Promise<'changed'>
  readonly stop: () => void
}

/**
 * A stream that starts later than this reads the payment again, because the notification of a change may have been lost with
 * its process.
 */
const REUSE_MS = 1000

/** Payments with open streams in this process, by reference. */
const openSources = remembered(() => new Map<string, Source>())

/**
 * Streams every change of a payment as the payer may see it, starting with its current state.
 * @throws PAYMENT_REFERENCE_UNKNOWN, RATE_LIMITED
 */
export async function streamPayment(
  ctx: Context,
  reference: string,
  network: string,
): Promise<AsyncIterable<PaymentPublic>> {
  // As changes are announced: capitals name the same payment.
  const referenceId = reference.toLowerCase()
  const sources = openSources(ctx)
  const source = sources.get(referenceId) ?? openSource(ctx, referenceId)
  const { streams } = source
  const total = [...streams.values()].reduce((sum, count) => sum + count, 0)
  if ((streams.get(network) ?? 0) >= MAX_STREAMS.ofAddress || total >= MAX_STREAMS.inAll) {
    return fail('RATE_LIMITED', { values: { seconds: 60 }, retryAfter: 60 })
  }
  sources.set(referenceId, source)
  streams.set(network, (streams.get(network) ?? 0) + 1)
  const release = () => {
    const left = (streams.get(network) ?? 1) - 1
    if (left > 0) streams.set(network, left)
    else streams.delete(network)
    if (streams.size > 0) return
    source.stop()
    sources.delete(referenceId)
  }
  try {
    const changed = source.changed()
    return follow(source, { first: await source.recent(), changed }, release)
  } catch (thrown) {
    release()
    throw thrown
  }
}

function openSource(ctx: Context, referenceId: string): Source {
  let change = Promise.withResolvers<'changed'>()
  let reading: Promise<PaymentPublic> | undefined
  let readAt = 0
  const stop = ctx.live.subscribe((message) => {
    if (message !== null && message.referenceId !== referenceId) return
    reading = undefined
    change.resolve('changed')
    change = Promise.withResolvers()
  })
  let known: PaymentPublic | undefined
  const read = async (): Promise<PaymentPublic> => {
    const payment = await publicPayment(ctx, await getByReference(ctx, referenceId))
    return (known = known && isDeepStrictEqual(known, payment) ? known : payment)
  }
  const latest = (): Promise<PaymentPublic> => {
    if (reading === undefined) readAt = performance.now()
    const newest = (reading ??= read())
    // After a failure, the next caller reads again.
    newest.catch(() => reading === newest && (reading = undefined))
    return newest
  }
  return {
    streams: new Map(),
    latest,
    recent: () => {
      if (performance.now() - readAt > REUSE_MS) reading = undefined
      return latest()
    },
    changed: () => change.promise,
    stop,
  }
}

type Beginning = { readonly first: PaymentPublic; readonly changed: Promise<'changed'> }

/** Ends at once when its reader leaves, even while it waits for the next change. */
function follow(source: Source, beginning: Beginning, release: () => void): AsyncIterable<PaymentPublic> {
  const left = Promise.withResolvers<'ended'>()
  const changes = changesOf(source, beginning, left.promise)
  let isOpen = true
  const close = () => {
    if (isOpen) release()
    isOpen = false
    left.resolve('ended')
  }
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => changes.next(),
      return: () => {
        close()
        return changes.return(undefined)
      },
    }),
  }
}

async function* changesOf(
  source: Source,
  { first, changed }: Beginning,
  left: Promise<'ended'>,
): AsyncGenerator<PaymentPublic, undefined> {
  let payment = first
  let next = changed
  yield payment
  while ((await Promise.race([next, left, endOf(payment)])) === 'changed') {
    next = source.changed()
    const latest = await source.latest()
    if (latest !== payment) yield latest
    payment = latest
  }
}

/** Resolves ten minutes after the payment's end, and never while it is open. */
function endOf(payment: PaymentPublic): Promise<'ended'> {
  const isOver = FINAL.has(payment.paymentState) && payment.fundingState !== 'confirming'
  return isOver ? sleep(AFTER_END_MS, 'ended' as const, { ref: false }) : new Promise(() => undefined)
}
