import { fail } from '@kassa/contract/kit/api-error.ts'
import { DEFAULT_LIMIT, MAX_LIMIT, MAX_OFFSET } from '@kassa/contract/kit/paging.ts'
import type {
  OfflineBatch,
  OfflineBatchDetail,
  OfflineFilters,
  OfflineState,
} from '@kassa/contract/sweeps/offline-schemas.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context, ProjectScope } from '../../../context.ts'
import { type Asset, listAssets } from '../../blockchains/chains/service.ts'
import { listInputs, listPsbts } from '../record/outputs-store.ts'
import { keyOf } from './batches.ts'
import { countBatches, type FoundBatch, listBatches } from './store.ts'

type Scope = ProjectScope['projectIds']

/** Batches that wait, are on their way, or arrived; newest first. */
export async function listOffline(
  ctx: Context,
  projectIds: Scope,
  { blockchainCode, status, limit = DEFAULT_LIMIT, offset = 0 }: OfflineFilters,
): Promise<{ sweepTransactionInfo: OfflineBatch[]; totalCount: number }> {
  const blockchainId = blockchainCode === undefined ? undefined : (findBlockchain(blockchainCode)?.id ?? 0)
  const filter = {
    projectIds,
    ...(blockchainId !== undefined && { blockchainId }),
    ...(status !== undefined && { status }),
  }
  const page = { limit: Math.max(0, Math.min(limit, MAX_LIMIT)), offset: Math.max(0, Math.min(offset, MAX_OFFSET)) }
  const assets = new Map((await listAssets(ctx)).map((asset) => [asset.id, asset]))
  const found = await listBatches(ctx, filter, page)
  return {
    sweepTransactionInfo: found.flatMap((one) => {
      const asset = assets.get(one.asset_id)
      return asset ? [batchView(one, asset)] : []
    }),
    totalCount: await countBatches(ctx, filter),
  }
}

/** One batch with its PSBT. @throws SWEEP_NOT_FOUND */
export async function batchDetail(ctx: Context, projectIds: Scope, id: bigint): Promise<OfflineBatchDetail> {
  const [found] = await listBatches(ctx, { projectIds, id }, { limit: 1, offset: 0 })
  const asset = found && (await listAssets(ctx)).find((one) => one.id === found.asset_id)
  const [newest] = found ? await listPsbts(ctx, found.id) : []
  if (!found || !asset || !newest) return fail('SWEEP_NOT_FOUND')
  const { path } = await keyOf(ctx, asset, found.wallet_id)
  return {
    ...batchView(found, asset),
    blockchainType: asset.blockchainCode,
    psbt: newest.psbt.toString('base64'),
    sweepTransactions: (await listInputs(ctx, found.id)).map(({ tx_id, vout, units, address, derivation_index }) => ({
      ...{ txid: tx_id, vout, address },
      amount: formatUnits(BigInt(units), asset.decimals),
      path: `${path}/0/${derivation_index}`,
    })),
  }
}

const STATES: Readonly<Partial<Record<FoundBatch['status'], OfflineState>>> = { completed: 'done' }

function batchView(found: FoundBatch, asset: Asset): OfflineBatch {
  const amount = (units: string) => formatUnits(BigInt(units), asset.decimals)
  const status = STATES[found.status] ?? (found.is_signed ? 'in-progress' : 'pending')
  return {
    id: Number(found.id),
    blockchainCode: asset.blockchainCode,
    numberOfUTXOs: found.inputs,
    total: amount(found.units),
    fee: amount(found.fee_units),
    destination: found.collector,
    status,
    createdAt: found.created_at,
    expiresAt: found.status === 'planned' ? found.expires_at : null,
    txHash: found.tx_id,
  }
}
