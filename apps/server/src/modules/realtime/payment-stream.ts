import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { PaymentPublic } from '@kassa/contract/payments/schemas.ts'
import type { Context } from '../../context.ts'
import { remembered } from '../../memory.ts'
import { getByReference } from '../payments/payment/service.ts'
import { publicPayment } from '../payments/views/service.ts'

/** Streams one address may hold open per payment (api.md Y7). */
const MAX_STREAMS = 3
/** A stream ends this long after the payment came to its end. */
const AFTER_END_MS = 10 * 60_000
const FINAL = new Set(['FILLED', 'OVER_FILLED', 'CANCELLED'])

/** Open streams of this process by payment and address. */
const openStreams = remembered(() => new Map<string, number>())

/**
 * Streams every change of a payment as the payer may see it, starting with its current state.
 * @throws PAYMENT_REFERENCE_UNKNOWN, RATE_LIMITED
 */
export async function streamPayment(
  ctx: Context,
  referenceId: string,
  ip: string,
): Promise<AsyncIterable<PaymentPublic>> {
  const first = await read(ctx, referenceId)
  const open = openStreams(ctx)
  const place = `${referenceId} ${ip}`
  if ((open.get(place) ?? 0) >= MAX_STREAMS) return fail('RATE_LIMITED', { values: { seconds: 60 }, retryAfter: 60 })
  open.set(place, (open.get(place) ?? 0) + 1)
  return follow(ctx, first, () => {
    const left = (open.get(place) ?? 1) - 1
    if (left > 0) open.set(place, left)
    else open.delete(place)
  })
}

async function read(ctx: Context, referenceId: string): Promise<PaymentPublic> {
  return publicPayment(ctx, await getByReference(ctx, referenceId))
}

/** Ends at once when its reader leaves, also while it waits for the next change. */
function follow(ctx: Context, first: PaymentPublic, release: () => void): AsyncIterable<PaymentPublic> {
  const left = Promise.withResolvers<'ended'>()
  const changes = changesOf(ctx, first, left.promise)
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
  ctx: Context,
  first: PaymentPublic,
  left: Promise<'ended'>,
): AsyncGenerator<PaymentPublic, undefined> {
  let wake = Promise.withResolvers<'changed'>()
  const unsubscribe = ctx.live.subscribe((message) => {
    if (message === null || message.referenceId === first.referenceID) wake.resolve('changed')
  })
  try {
    let payment = first
    yield payment
    while ((await Promise.race([wake.promise, left, endOf(payment)])) === 'changed') {
      wake = Promise.withResolvers<'changed'>()
      payment = await read(ctx, first.referenceID)
      yield payment
    }
  } finally {
    unsubscribe()
  }
}

/** Resolves ten minutes after the payment's end, and never while it is open. */
function endOf(payment: PaymentPublic): Promise<'ended'> {
  const isOver = FINAL.has(payment.paymentState) && payment.fundingState !== 'confirming'
  return isOver ? sleep(AFTER_END_MS, 'ended' as const, { ref: false }) : new Promise(() => undefined)
}
