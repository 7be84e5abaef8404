import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Deposit as DepositShape } from '@kassa/contract/deposits/schemas.ts'
import type { Diagnosis } from '@kassa/contract/payments/diagnosis.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import type { Context, ProjectScope } from '../../../context.ts'
import { adapterOf } from '../../blockchains/chains/service.ts'
import { depositShapes, getDeposit } from '../../deposits/service.ts'
import { addressesByKeys, addressesOfCustomer } from '../../wallets/service.ts'
import { operatorText } from './operator-text.ts'
import { diagnoseFor, type Asker, type TransactionQuery } from './service.ts'
import type { PaidAddress } from './look-up-transaction.ts'
import type { Payment } from '../payment/payment.ts'
import { getInScope } from '../payment/service.ts'

export type MissedQuery = TransactionQuery & { readonly referenceID?: string | undefined }

export type MissedAnswer = Diagnosis & { readonly deposit: DepositShape | null }

/**
 * Reads one transaction from the blockchain again and reports its state. It credits nothing itself: a missed deposit is
 * credited by a rescan, on the usual path.
 * @throws TRANSACTION_NOT_FOUND, BLOCKCHAIN_NOT_FOUND, PAYMENT_NOT_FOUND, VALIDATION_FAILED
 */
export async function findMissedDeposit(ctx: Context, scope: ProjectScope, query: MissedQuery): Promise<MissedAnswer> {
  const payment = query.referenceID ? await getInScope(ctx, scope, query.referenceID) : null
  const { decision, view } = await diagnoseFor(ctx, query, askerIn(ctx, scope, payment))
  if (decision.verdict === 'not_found') return fail('TRANSACTION_NOT_FOUND', { details: view.text })
  const deposit = decision.depositId === null ? null : await getDeposit(ctx, decision.depositId)
  const [shape = null] = await depositShapes(ctx, deposit ? [deposit] : [])
  return { ...view, deposit: shape }
}

function askerIn(ctx: Context, { projectIds }: ProjectScope, payment: Payment | null): Asker {
  const isInScope = (projectId: number) => projectIds === 'every' || projectIds.includes(projectId)
  if (payment) {
    const customerId = payment.customer.id
    return {
      payment,
      shop: payment.project.name,
      payerText: operatorText,
      mayKnow: (deposit) => deposit.customerId === customerId,
      own: async () => new Set((await addressesOfCustomer(ctx, customerId)).map(({ address }) => address)),
    }
  }
  return {
    payment: null,
    shop: 'the project',
    payerText: operatorText,
    mayKnow: (deposit) => isInScope(deposit.projectId),
    own: (paid) => ownAmong(ctx, paid, isInScope),
  }
}

/** Filters the paid addresses to those of customers of these projects. */
async function ownAmong(
  ctx: Context,
  paid: readonly PaidAddress[],
  isInScope: (projectId: number) => boolean,
): Promise<ReadonlySet<string>> {
  const own = new Set<string>()
  for (const { chain, address } of paid) {
    const { family } = chain.blockchain
    const key = adapterOf(family)?.addresses.key(chain, address)
    const [row] = key ? await addressesByKeys(ctx, findFamily(family)?.id ?? 0, [Buffer.from(key)]) : []
    if (row?.projectId && isInScope(row.projectId)) own.add(address)
  }
  return own
}
