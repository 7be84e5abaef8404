import type { ApprovalOverview, ApprovalPage } from '@kassa/contract/sweeps/approval-schemas.ts'
import type { ApprovalFilters } from '@kassa/contract/sweeps/inputs.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import { keyFor } from '../../../config/keys.ts'
import type { Context, ProjectScope } from '../../../context.ts'
import { readPage, toPage } from '../../../paging/paging.ts'
import { USUAL_SWEEP } from '../../blockchains/chains/service.ts'
import { balancesOf } from '../../ledger/service.ts'
import { currentPrices } from '../../prices/service.ts'
import { findHotWallet } from '../../wallets/hot/service.ts'
import { type CandidateFilter, countCandidates, listCandidates, sumTopUps } from './candidates-store.ts'
import { findPlace, type Place } from './place.ts'
import { candidateView, contractView } from './view.ts'

type Names = { readonly b: string; readonly c: string }
type ProjectIds = ProjectScope['projectIds']

/** States of an address that has no permission yet. */
const WITHOUT = ['idle', 'pending-approval'] as const

/** Counts addresses by the state of their permission, with the gas that asking them takes (K10). @throws as `findPlace` */
export async function overviewOf(ctx: Context, names: Names, projectIds: ProjectIds): Promise<ApprovalOverview> {
  const place = await findPlace(ctx, names)
  const { row, asset, coin, vault } = place
  const counts = await countCandidates(ctx, filterOf(place, projectIds))
  const wallet = await findHotWallet(ctx, { blockchainId: row.id, purpose: 'gas' })
  const owner = wallet && (`wallet:${wallet.walletId}` as const)
  const [float = 0n] = owner ? await balancesOf(ctx, [{ kind: 'chain:hot', owner, unitId: coin.id }]) : []
  const count = (state: 'idle' | 'pending-approval' | 'approved' | 'sweep-initiated') => counts.get(state) ?? 0
  const usual = asset.standard === 'native' ? 0n : (asset.limits.approvalFeeAmount ?? 0n)
  const needed = (await sumTopUps(ctx, row.id)) + usual * BigInt(count('idle'))
  return {
    counts: {
      idle: count('idle'),
      pendingApproval: count('pending-approval'),
      approved: count('approved'),
      sweepInitiated: count('sweep-initiated'),
    },
    contract: vault && contractView(vault),
    gas: {
      hotWalletAddress: wallet?.address ?? null,
      currency: coin.currencyCode,
      balance: formatUnits(float, coin.decimals),
      needed: formatUnits(needed, coin.decimals),
    },
    batchSize: asset.sweepBatchSize ?? USUAL_SWEEP.batchSize,
    approvalBatchSize: asset.sweepApprovalBatchSize ?? USUAL_SWEEP.approvalBatchSize,
  }
}

/**
 * A page of addresses without a permission, or in the given state, the richest first (K11). @throws as `findPlace`, and of
 * pages
 */
export async function pageOfCandidates(
  ctx: Context,
  names: Names,
  projectIds: ProjectIds,
  { state, ...input }: ApprovalFilters,
): Promise<ApprovalPage> {
  const place = await findPlace(ctx, names)
  const states = state === undefined ? WITHOUT : [state]
  const filter = { ...filterOf(place, projectIds), walletId: input.walletID, states }
  const rules = { list: 'approvals', filter, sorts: ['units'], signingKey: keyFor(ctx, 'cursor') } as const
  const page = readPage({ order: 'desc', ...input }, rules)
  const { rows, nextCursor } = toPage(await listCandidates(ctx, filter, page), page, rules)
  const price = (await currentPrices(ctx)).get(place.asset.id)
  const counts = await countCandidates(ctx, filter)
  return {
    data: rows.map((row) => candidateView(row, place, price)),
    total: states.reduce((sum, one) => sum + (counts.get(one) ?? 0), 0),
    nextCursor,
  }
}

/** Restricts to addresses of customers of these projects that hold the asset. */
export function filterOf({ row, asset, coin, vault }: Place, projectIds: ProjectIds): CandidateFilter {
  return { blockchainId: row.id, assetId: asset.id, coinId: coin.id, vault: vault?.address ?? null, projectIds }
}
