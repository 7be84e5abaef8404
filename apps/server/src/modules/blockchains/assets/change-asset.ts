import type { AssetChange } from '@kassa/contract/blockchains/inputs.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { findAsset as findSeeded } from '@kassa/primitives/chains/assets.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'
import { type Context, inTransaction } from '../../../context.ts'
import { clearAlarm } from '../../alarms/service.ts'
import { type Asset, ASSET_LIMITS, type AssetLimit, assetName } from '../chains/rows.ts'
import { updateAsset } from '../chains/store.ts'

/**
 * Changes the switches and limits of an asset; an empty limit removes it, or restores the usual smallest deposit.
 * @throws VALIDATION_FAILED when an amount has more decimals than its currency
 */
export async function changeAsset(ctx: Context, asset: Asset, change: AssetChange): Promise<void> {
  const amounts = { ...limitsOf(asset, change), ...smallestDeposit(asset, change) }
  await inTransaction(ctx, async (tx) => {
    await updateAsset(tx, asset.id, {
      ...amounts,
      ...(change.visible !== undefined && { visible: change.visible }),
      ...(change.depositEnabled !== undefined && { deposit_enabled: change.depositEnabled }),
      // The contract counts as confirmed only once an operator enables the currency again; until then its deposits are
      // quarantined.
      ...(change.depositEnabled && { disabled_because: null }),
      ...(change.withdrawalEnabled !== undefined && { withdrawal_enabled: change.withdrawalEnabled }),
      ...(change.sweepAddressLockedDurationInMinutes !== undefined && {
        sweep_lock_minutes: change.sweepAddressLockedDurationInMinutes,
      }),
      ...(change.sweepBatchSize !== undefined && { sweep_batch_size: change.sweepBatchSize }),
      ...(change.sweepApprovalBatchSize !== undefined && { sweep_approval_batch_size: change.sweepApprovalBatchSize }),
      ...(change.sweepMaxWaitTimeInMinutes !== undefined && {
        sweep_max_wait_minutes: change.sweepMaxWaitTimeInMinutes,
      }),
    })
    if (change.depositEnabled !== undefined) await clearAlarm(tx, { kind: 'asset_changed', subject: assetName(asset) })
    const payload = { blockchain_id: asset.blockchainId, code: asset.blockchainCode, currency: asset.currencyCode }
    await tx.events.emit(tx, { type: 'blockchain.changed', projectId: null, payload })
    tx.change(null, { ...payload, ...change })
  })
}

/** The decimals of a limit: those of the asset, or of its blockchain's native coin, in which fees are paid. */
export function decimalsOfLimit(asset: Asset, limit: AssetLimit): number {
  if (ASSET_LIMITS[limit].of === 'asset') return asset.decimals
  return findBlockchain(asset.blockchainId)?.nativeDecimals ?? asset.decimals
}

function limitsOf(asset: Asset, change: AssetChange): Record<string, bigint | null> {
  const columns: Record<string, bigint | null> = {}
  for (const [name, { column }] of Object.entries(ASSET_LIMITS)) {
    const text = change[name as AssetLimit]
    if (text === undefined) continue
    columns[column] = text === '' ? null : readAmount(name, text, decimalsOfLimit(asset, name as AssetLimit))
  }
  return columns
}

function smallestDeposit(asset: Asset, { minDepositAmount }: AssetChange): { min_deposit_units?: bigint } {
  if (minDepositAmount === undefined) return {}
  const text = minDepositAmount || (findSeeded(asset.id)?.minDepositAmount ?? '0')
  return { min_deposit_units: readAmount('minDepositAmount', text, asset.decimals) }
}

function readAmount(field: string, text: string, decimals: number): bigint {
  try {
    return parseUnits(text, decimals)
  } catch {
    const sentence = `This amount can have at most ${decimals} decimals`
    return fail('VALIDATION_FAILED', { message: sentence, fields: { [field]: sentence } })
  }
}
