/**
 * Payouts of rewards in the ledger of the programme: what a withdrawal took is paid, released, or under way again, in the
 * transaction in which the payout moves. Also the lists of these payouts.
 */
import { fail } from '@kassa/contract/kit/api-error.ts'
import { REWARD_DECIMALS } from '@kassa/contract/referral/rewards.ts'
import type { ReferralPayout, ReferralPayoutMetrics } from '@kassa/contract/referral/schemas.ts'
import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { usd, usdOf } from '@kassa/primitives/money/usd.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import type * as z from 'zod/mini'

import type { Context, ProjectScope, StoredEvent } from '../../../context.ts'
import { findPayout, listPayouts, type PayoutQuery } from '../../withdrawals/lists/service.ts'
import { payerWallets, payoutOf, type WithdrawalRow } from '../../withdrawals/record/service.ts'
import { currencyOf, releaseRewards, reopenRewards, settleRewards } from '../rewards/service.ts'
import { type ClaimRow, findClaimMetrics, listClaims } from './store.ts'

/** Subscriber: books the outcome of a withdrawal of rewards. */
export async function followPayout(tx: Context, { type, payload }: StoredEvent): Promise<void> {
  if (payload.type !== 'withdrawal') return
  const row = await payoutOf(tx, BigInt(String(payload.payout_id)))
  if (!row) throw new Error(`There is no payout ${String(payload.payout_id)}`)
  if (type === 'payout.processed') return settle(tx, row)
  // A payout that is sent for the first time has nothing to reopen.
  if (type === 'payout.sent') return reopenRewards(tx, row.id, row.settlements)
  return releaseRewards(tx, row.id)
}

/** The coins leave the float; the rewards they pay are no longer owed. */
async function settle(tx: Context, row: WithdrawalRow): Promise<void> {
  const { asset_id: unitId, wallet_id, block_number, blockchain_id: blockchainId } = row
  if (wallet_id === null || block_number === null) throw new Error(`Payout ${row.id} has no wallet or no block`)
  await settleRewards(tx, row.id, {
    lines: [
      {
        debit: { kind: 'exchange:position', owner: `project:${row.project_id}`, unitId },
        credit: { kind: 'chain:hot-held', owner: `wallet:${wallet_id}`, unitId },
        units: BigInt(row.units),
      },
    ],
    at: { blockchainId, height: Number(block_number) },
    settlement: row.settlements,
  })
}

export type ReferralPayouts = {
  readonly data: ReferralPayout[]
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly nextCursor: string | null
}

/** A page of withdrawals of rewards, newest first. @throws as `listPayouts` */
export async function listReferralPayouts(ctx: Context, query: PayoutQuery): Promise<ReferralPayouts> {
  const page = await listPayouts(ctx, { ...query, types: ['withdrawal'] })
  return { ...page, data: await withClaims(ctx, page.data) }
}

const DAYS_30_MS = 30 * 24 * 3_600_000

/** How many withdrawals of rewards wait, and what became of those of the last 30 days. */
export async function referralPayoutMetrics(
  ctx: Context,
  { projectIds }: ProjectScope,
): Promise<z.output<typeof ReferralPayoutMetrics>> {
  const found = await findClaimMetrics(ctx, projectIds, new Date(ctx.now().getTime() - DAYS_30_MS))
  return { waiting: found.waiting, processed30d: usd(usdOf(found.processed_usd)), failed30d: found.failed }
}

/** One withdrawal of rewards that the caller sees. @throws WITHDRAWAL_NOT_FOUND */
export async function findReferralPayout(
  ctx: Context,
  query: PayoutQuery & { readonly id: string },
): Promise<ReferralPayout> {
  const [found] = await withClaims(ctx, [await findPayout(ctx, query)])
  return found ?? fail('WITHDRAWAL_NOT_FOUND')
}

async function withClaims(ctx: Context, payouts: readonly Withdrawal[]): Promise<ReferralPayout[]> {
  const ids = payouts.map(({ id }) => BigInt(id))
  const claims = new Map((await listClaims(ctx, ids)).map((claim) => [Number(claim.id), claim]))
  const payers = await payerWallets(ctx, ids)
  return payouts.flatMap((payout) => {
    const claim = claims.get(payout.id)
    return claim ? [{ ...payout, ...claimView(claim), isPayerWallet: payers.has(BigInt(payout.id)) }] : []
  })
}

function claimView(claim: ClaimRow) {
  return {
    referrer: { id: claim.referrer_id, code: claim.code, email: claim.email },
    rewardAmount: formatUnits(BigInt(claim.reward_units), REWARD_DECIMALS),
    rewardCurrencyCode: currencyOf(claim.reward_unit_id),
    availableBefore: formatUnits(BigInt(claim.reward_ready), REWARD_DECIMALS),
  }
}
