import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Deposit as DepositShape } from '@kassa/contract/deposits/schemas.ts'
import type { Context, ProjectScope } from '../../../context.ts'
import { depositShapes, getDeposit } from '../../deposits/service.ts'
import { applyDeposit, refuse } from './apply-deposit.ts'
import type { Payment } from '../payment/payment.ts'
import { depositBlockedBy } from './rules.ts'
import { getInScope } from '../payment/service.ts'

export type AssignmentInput = {
  readonly depositId: number
  readonly referenceID: string
  readonly note?: string | undefined
}

/**
 * Assigns an unmatched deposit to a payment of the same customer.
 * @throws DEPOSIT_NOT_FOUND, DEPOSIT_NOT_UNAPPLIED, PAYMENT_NOT_FOUND, RESOLUTION_NOT_POSSIBLE
 */
export async function assignToPayment(
  ctx: Context,
  { projectIds }: ProjectScope,
  { depositId, referenceID, note = '' }: AssignmentInput,
): Promise<{ deposit: DepositShape; payment: Payment }> {
  const deposit = await getDeposit(ctx, BigInt(depositId))
  if (projectIds !== 'every' && !projectIds.includes(deposit.projectId)) return fail('DEPOSIT_NOT_FOUND')
  const block = depositBlockedBy(deposit, 'unapplied')
  if (block) return refuse(block, 'DEPOSIT_NOT_UNAPPLIED')
  const scope = { projectId: deposit.projectId, projectIds: [deposit.projectId] }
  const found = await getInScope(ctx, scope, referenceID)
  const payment = await applyDeposit(ctx, found, { depositId: deposit.id, from: 'unapplied', action: 'assign', note })
  const [shape] = await depositShapes(ctx, [await getDeposit(ctx, deposit.id)])
  return { deposit: shape ?? fail('INTERNAL_ERROR'), payment }
}
