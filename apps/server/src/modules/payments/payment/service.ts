/** Payment: one payment and its rows, found by its reference within what the caller may see. */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Context, ProjectScope } from '../../../context.ts'
import { depositsOfPayment, sourcesOf } from '../../deposits/service.ts'
import { requireGenuine } from '../../wallets/service.ts'
import type { Payment } from './payment.ts'
import { findPayment, listOpenSince } from './store.ts'

export type { Payment } from './payment.ts'
export type { PinnedQuote } from './payment.ts'

/** How long after its end a payment still shows what came in unlisted tokens: transfers are often sent at the last minute. */
export const NOTICED_AFTER_MS = 24 * 3_600_000

/** Payments announced at most; a screen shows no more at once. */
const MOST_ANNOUNCED = 100

/** The payment of a link. @throws PAYMENT_REFERENCE_UNKNOWN */
export async function getByReference(ctx: Context, reference: string): Promise<Payment> {
  return (await findPayment(ctx, reference)) ?? fail('PAYMENT_REFERENCE_UNKNOWN')
}

/** A payment of the projects the caller may see. @throws PAYMENT_NOT_FOUND */
export async function getInScope(ctx: Context, { projectIds }: ProjectScope, reference: string): Promise<Payment> {
  const payment = (await findPayment(ctx, reference)) ?? fail('PAYMENT_NOT_FOUND')
  return projectIds === 'every' || projectIds.includes(payment.project.id) ? payment : fail('PAYMENT_NOT_FOUND')
}

/** Makes sure that the address a payment asks for is ours. @throws SERVICE_UNAVAILABLE when it is not */
export async function requireOwnAddress(ctx: Context, { quote }: Payment): Promise<void> {
  if (quote === null) return
  const { walletId, familyId, index } = quote.derivation
  const source = { wallet_id: walletId, family_id: familyId, derivation_index: index }
  await requireGenuine(ctx, { ...source, address: quote.address })
}

/** Whether the answer of an earlier create still names an open payment: only then is it replayed (api.md 1.6). */
export async function isStillOpen(ctx: Context, answer: unknown): Promise<boolean> {
  const reference =
    typeof answer === 'object' && answer !== null && 'reference_id' in answer ? answer.reference_id : null
  const payment = typeof reference === 'string' ? await findPayment(ctx, reference) : undefined
  return payment?.status === 'OPEN'
}

/** How the sources of a payment's entries in the journal start: those of its deposits; none without such a payment. */
export async function sourcesOfPayment(ctx: Context, reference: string): Promise<string[]> {
  const payment = await findPayment(ctx, reference)
  return payment ? (await depositsOfPayment(ctx, payment.id)).map(sourcesOf) : []
}

/** Notifies open pages of these customers' payments that what is shown beside them has changed; nothing of them has. */
export async function announceNotices(ctx: Context, customerIds: readonly number[]): Promise<void> {
  if (customerIds.length === 0) return
  const since = new Date(ctx.now().getTime() - NOTICED_AFTER_MS)
  const payments = await listOpenSince(ctx, customerIds, since, MOST_ANNOUNCED)
  ctx.events.announceAll(
    ctx,
    payments.map(({ reference, projectId }) => ({
      name: 'payment.progress',
      projectId,
      referenceId: reference,
      data: { reference_id: reference },
    })),
  )
}
