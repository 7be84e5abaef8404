import { fail } from '@kassa/contract/kit/api-error.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import { type Context, inTransaction, type ProjectScope } from '../../../context.ts'
import type { Description } from '../../../http/handlers.ts'
import { type Asset, listAssets } from '../../blockchains/chains/service.ts'
import { raiseCeiling } from '../../sends/service.ts'
import type { WithdrawalRow } from '../record/service.ts'
import { countRetry, findStuckSend } from '../record/store.ts'
import { unitsOf } from './create-payout.ts'
import { lockForDecision, requireDecider } from './decide-payout.ts'
import { descriptionOf } from './describe.ts'

type Scope = Pick<ProjectScope, 'projectIds'>
type Retry = {
  readonly row: WithdrawalRow
  readonly sendId: bigint
  readonly coin: Asset
  readonly maxFee: bigint
}

/** Fees rise by half where the request names none; nodes accept a replacement that pays at least an eighth more. */
const RAISE = { by: 3n, of: 2n }

/**
 * Raises the fee ceiling of a stuck payout. Its transaction keeps its sequence, so that the chain can accept only one; the
 * sender bumps it.
 * @throws WITHDRAWAL_NOT_FOUND, PAYOUT_NOT_RETRYABLE, VALIDATION_FAILED
 */
export async function retryPayout(
  ctx: Context,
  scope: Scope,
  id: string,
  asked: string | null,
): Promise<WithdrawalRow> {
  return inTransaction(ctx, async (tx) => {
    const { row, sendId, maxFee } = await retryOf(tx, scope, id, asked)
    const raised = await raiseCeiling(tx, { sendId, maxFee })
    if (raised === 'short') refuse('The hot wallet does not hold that much for the network fee.')
    if (raised === 'unchanged') refuse('Name a higher network fee than before.')
    const retried = await countRetry(tx, row.id)
    const changed = { payoutID: Number(row.id), retryCount: retried.retry_count, maxFee: String(maxFee) }
    tx.change({ payoutID: Number(row.id), retryCount: row.retry_count }, changed, { projectId: row.project_id })
    return retried
  })
}

/** Says what sending again will do. @throws as `retryPayout` */
export async function describeRetry(
  ctx: Context,
  scope: Scope,
  id: string,
  asked: string | null,
): Promise<Description> {
  const { row, coin, maxFee } = await retryOf(ctx, scope, id, asked)
  const { lines, happens } = await descriptionOf(ctx, row)
  const params = { amount: formatUnits(maxFee, coin.decimals), currency: coin.currencyCode }
  return {
    lines: [...lines, { code: 'payout_fee_raised', params }],
    happens: { payout: happens, maxFee: String(maxFee) },
  }
}

async function retryOf(ctx: Context, scope: Scope, id: string, asked: string | null): Promise<Retry> {
  const { row } = await lockForDecision(ctx, scope, id)
  requireDecider(ctx, row)
  const stuck = row.send_id === null ? undefined : await findStuckSend(ctx, row.send_id)
  if (!stuck || (row.status !== 'initiated' && row.status !== 'sent')) return refuse('It is not stuck.')
  const coin = (await listAssets(ctx)).find((one) => one.id === stuck.fee_asset_id) ?? fail('ASSET_NOT_FOUND')
  const before = BigInt(stuck.fee_ceiling)
  const maxFee = asked === null ? (before * RAISE.by) / RAISE.of : unitsOf(coin, asked)
  return { row, sendId: stuck.id, coin, maxFee }
}

function refuse(details: string): never {
  return fail('PAYOUT_NOT_RETRYABLE', { details })
}
