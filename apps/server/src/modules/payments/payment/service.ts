/** Payment: one payment and its rows, found by its reference within what the caller may see. */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Context, ProjectScope } from '../../../context.ts'
import { depositsOfPayment, sourcesOf } from '../../deposits/service.ts'
import type { Payment } from './payment.ts'
import { findPayment } from './store.ts'

export type { Payment } from './payment.ts'
export type { PinnedQuote } from './payment.ts'

/** The payment of a link. @throws PAYMENT_REFERENCE_UNKNOWN */
export async function getByReference(ctx: Context, reference: string): Promise<Payment> {
  return (await findPayment(ctx, reference)) ?? fail('PAYMENT_REFERENCE_UNKNOWN')
}

/** A payment of the projects the caller may see. @throws PAYMENT_NOT_FOUND */
export async function getInScope(ctx: Context, { projectIds }: ProjectScope, reference: string): Promise<Payment> {
  const payment = (await findPayment(ctx, reference)) ?? fail('PAYMENT_NOT_FOUND')
  return projectIds === 'every' || projectIds.includes(payment.project.id) ? payment : fail('PAYMENT_NOT_FOUND')
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
