import type { ErrorCode } from '@kassa/contract/errors.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { textOf } from '@kassa/contract/kit/reason.ts'
import { type SweepCause, SWEEP_WAITS } from '@kassa/contract/sweeps/reasons.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { findBlockchain as findDefinition } from '@kassa/primitives/chains/blockchains.ts'
import { usd } from '@kassa/primitives/money/usd.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { type Asset, findAsset } from '../../blockchains/chains/service.ts'
import { getVault } from '../../sweep-contracts/service.ts'
import { authorizationsIn, callOf, itemOf, planAsset, type PlannedBatch, sweepChainOf } from '../planner/service.ts'
import { hintSweep } from '../record/announce.ts'
import { initiateSweep, planSweep, type SweepRow } from '../record/service.ts'
import { announceDue, lockedUntil, requireGas } from './plans.ts'

/** Addresses of one sweep by hand, unless operators set another number: the contract's own number. */
const USUAL_BATCH = 3

/** Approvals and sweeps by hand exist on these blockchains. */
const BY_HAND: ReadonlySet<string> = new Set(['ETH', 'TRX'])

/** An asset whose addresses are swept by hand. @throws ASSET_NOT_FOUND, SWEEP_NETWORK_UNSUPPORTED */
export async function assetByHand(ctx: Context, { b, c }: { readonly b: string; readonly c: string }): Promise<Asset> {
  const code = blockchainByHand(b)
  return findAsset(ctx, code, c)
}

/** The code of a blockchain on which addresses are swept by hand. @throws SWEEP_NETWORK_UNSUPPORTED */
export function blockchainByHand(name: string): string {
  const code = findDefinition(name)?.code
  return code !== undefined && BY_HAND.has(code) ? code : fail('SWEEP_NETWORK_UNSUPPORTED')
}

type Initiation = {
  readonly asset: Asset
  readonly addressIds: readonly number[]
  readonly contractAddressId: number | null
}

/** A sweep of exactly these addresses as a node quotes it, and the call that makes it. */
type Prepared = {
  readonly batch: PlannedBatch
  readonly ceiling: bigint
  readonly call: { readonly to: string; readonly data: string; readonly value: bigint }
  /** It carries a delegation, which no operator's wallet sends for another account (EIP-7702). */
  readonly needsHotWallet: boolean
}

/**
 * Quotes a sweep of chosen addresses. Call it outside of transactions.
 * @throws ADDRESS_LOCKED, ADDRESS_NOT_APPROVED, CONTRACT_ADDRESS_NOT_FOUND, COLD_WALLET_MISSING, SWEEP_BELOW_MINIMUM,
 * GAS_TOO_HIGH
 */
export async function prepareSweep(
  ctx: Context,
  { asset, addressIds, contractAddressId }: Initiation,
): Promise<Prepared> {
  const most = asset.sweepBatchSize ?? USUAL_BATCH
  if (new Set(addressIds).size > most) {
    const message = `At most ${most} addresses can be swept together`
    fail('VALIDATION_FAILED', { message, fields: { addressIDs: message } })
  }
  const { batches, leftOut } = await planAsset(ctx, {
    asset,
    walletId: null,
    addressIds,
    projectIds: 'every',
    sender: 'any-wallet',
    mostBatches: 2,
  })
  for (const { cause } of leftOut) refuse(cause)
  const [batch, ...more] = batches
  if (!batch) return fail('SWEEP_BELOW_MINIMUM')
  if (more.length > 0) fail('ADDRESS_NOT_APPROVED', { details: 'Choose addresses of one wallet that move in one way.' })
  if (contractAddressId !== null && (await getVault(ctx, contractAddressId)).address !== batch.vault) {
    fail('CONTRACT_ADDRESS_NOT_FOUND')
  }
  const least = asset.limits.minAmountInSweepTx
  if (least !== null && batch.batch.units < least) fail('SWEEP_BELOW_MINIMUM')
  if (batch.ceiling === null) return fail('GAS_TOO_HIGH')
  const { vaults } = await sweepChainOf(ctx, asset)
  const items = batch.batch.items.map(({ row, units }) => itemOf(batch.method, row, units))
  const call = vaults.call(batch.vault, callOf({ ...batch, asset }, items))
  const needsHotWallet = authorizationsIn(batch.riders ?? new Map(), items).length > 0
  return { batch, ceiling: batch.ceiling, call, needsHotWallet }
}

/**
 * The error for each reason why addresses cannot be swept; a reason without a row here means that the amount is too small for
 * its fee.
 */
const REFUSALS = {
  NEEDS_PERMISSION: 'ADDRESS_NOT_APPROVED',
  PERMISSION_STALE: 'ADDRESS_NOT_APPROVED',
  QUARANTINED: 'ADDRESS_NOT_APPROVED',
  FUND_SWEEPER_NOT_DEPLOYED: 'CONTRACT_ADDRESS_NOT_FOUND',
  DEPOSIT_NOT_DEPLOYED_FUND_SWEEPER_MISSING: 'CONTRACT_ADDRESS_NOT_FOUND',
  COLD_WALLET_MISSING: 'COLD_WALLET_MISSING',
  COLD_WALLET_TOO_NEW: 'COLD_WALLET_MISSING',
  NODE_CONNECTION_FAILED: 'SERVICE_UNAVAILABLE',
  NO_PRICE: 'SERVICE_UNAVAILABLE',
} as const satisfies Partial<Record<SweepCause['code'], ErrorCode>>

/** @throws ADDRESS_LOCKED, SWEEP_BELOW_MINIMUM, or one of `REFUSALS` */
function refuse(cause: SweepCause): never {
  if (cause.code === 'ADDRESS_LOCKED') return fail('ADDRESS_LOCKED', { values: { time: cause.params.until } })
  const { [cause.code]: code = 'SWEEP_BELOW_MINIMUM' }: Partial<Record<string, ErrorCode>> = REFUSALS
  const text = textOf(SWEEP_WAITS, cause)
  return fail(code, code === 'SERVICE_UNAVAILABLE' ? { message: text } : { details: text })
}

/**
 * Initiates a prepared sweep. With `execute` the hot wallet sends it; else it waits for the transaction of the caller's own
 * wallet, and its money counts as on its way from now on.
 * @throws ADDRESS_LOCKED, HOT_WALLET_MISSING, INSUFFICIENT_GAS
 */
export async function initiatePrepared(
  ctx: Context,
  asset: Asset,
  { batch, ceiling, call, needsHotWallet }: Prepared,
  { execute }: { readonly execute: boolean },
): Promise<SweepRow> {
  if (needsHotWallet && !execute) {
    fail('ADDRESS_NOT_APPROVED', {
      details: 'Its delegation is not on the network yet: let the hot wallet send this sweep.',
    })
  }
  return inTransaction(ctx, async (tx) => {
    if (execute) await requireGas(tx, asset, ceiling)
    const { walletId, method, vault, collector } = batch
    const { items, units } = batch.batch
    const planned = await planSweep(
      tx,
      {
        ...{ method, vault, collector, units },
        wallet_id: walletId,
        blockchain_id: asset.blockchainId,
        asset_id: asset.id,
        trigger: 'manual',
        sent_by: execute ? 'hot-wallet' : 'own-wallet',
        started_by: tx.caller.kind === 'operator' ? tx.caller.operatorId : null,
        amount_usd: usd(batch.batch.usd),
        max_fee: ceiling,
        expires_at: lockedUntil(tx, asset),
      },
      items.map(({ addressId, row, units: own }) => ({
        addressId,
        projectId: row.project_id,
        itemId: itemOf(method, row, own).id,
        units: own,
      })),
    )
    const sweep = execute ? planned : await initiateSweep(tx, planned.id, { call_data: call.data })
    const facts = { amount: formatUnits(units, asset.decimals), fundCollector: collector, execute }
    tx.change(null, { sweepID: Number(planned.id), walletID: walletId, ...facts })
    hintSweep(tx, planned.id)
    if (execute) announceDue(tx)
    return sweep ?? planned
  })
}
