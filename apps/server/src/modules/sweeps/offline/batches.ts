import { chainIn } from '@kassa/chains/chain.ts'
import type { Chain, DepositSource } from '@kassa/chains/adapter.ts'
import type { PsbtPlan } from '@kassa/chains/signing/psbts.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'

import type { Context } from '../../../context.ts'
import { type Asset, getAsset } from '../../blockchains/chains/service.ts'
import { intendMovement } from '../../movements/service.ts'
import { genuineSource } from '../../wallets/service.ts'
import { outputChainOf, type Psbts } from '../planner/service.ts'
import { insertInputs, insertPsbt, isPsbtKnown, type OutputRow } from '../record/outputs-store.ts'
import { planSweep, type SweepRow } from '../record/service.ts'
import type { NewItem } from '../record/store.ts'

/** How long outputs belong to a batch that is not signed: the holder of the keys may be away. */
const RESERVED_MS = 7 * 86_400_000

/** An output with the derivation path of its key below the wallet's account. */
export type PlacedOutput = OutputRow & { readonly index: number }

type Wanted = {
  readonly walletId: number
  readonly collector: string
  readonly fee: bigint
  readonly outputs: readonly PlacedOutput[]
}

/** Everything a batch is built from, as the adapter of its family takes it. */
export type Material = { readonly chain: Chain; readonly psbts: Psbts; readonly plan: PsbtPlan<DepositSource> }

/** Collects what a batch is built from. Inputs are sorted, so that the same batch always has the same bytes. */
export async function materialOf(ctx: Context, asset: Asset, wanted: Wanted): Promise<Material> {
  const { walletId, collector, fee, outputs } = wanted
  const found = (await outputChainOf(ctx, asset)) ?? fail('FAMILY_UNSUPPORTED')
  const source = await keyOf(ctx, asset, walletId)
  const inputs = outputs.map(({ tx_id, vout, units, index }) => ({ txId: tx_id, vout, units: BigInt(units), index }))
  const plan = {
    source,
    inputs: inputs.toSorted((a, b) => compare(a.txId, b.txId) || a.vout - b.vout),
    to: collector,
    fee,
  }
  return { chain: chainIn(ctx.config.network, found.row.definition), psbts: found.psbts, plan }
}

/** The extended public key of a wallet on the blockchain of an asset, as an operator has added it. */
export async function keyOf(ctx: Context, { blockchainId }: Asset, walletId: number): Promise<DepositSource> {
  const family = findFamily(findBlockchain(blockchainId)?.family ?? '')
  const source = await genuineSource(ctx, walletId, family?.id ?? 0)
  if (source.kind !== 'xpub') throw new Error(`Wallet ${walletId} has no key on blockchain ${blockchainId}`)
  const { xpub, path, fingerprint } = source
  return { kind: 'xpub', xpub, path, fingerprint }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/** A batch that is ready to be stored. It is built outside of transactions, because hundreds of inputs take a second. */
export type BuiltBatch = {
  readonly psbt: Buffer
  readonly txId: string
  readonly fee: bigint
  readonly outputs: readonly OutputRow[]
}

/**
 * Builds the transaction of a batch, to be signed outside of the server. The same coins to the same address at the same fee
 * would be the same transaction as that of an abandoned batch; one more unit of fee makes it a new one.
 */
export async function buildBatch(ctx: Context, asset: Asset, wanted: Wanted): Promise<BuiltBatch> {
  const { fee, outputs } = wanted
  const { chain, psbts, plan } = await materialOf(ctx, asset, wanted)
  const { psbt, txId } = await psbts.build(chain, plan)
  if (await isPsbtKnown(ctx, asset.blockchainId, txId)) return buildBatch(ctx, asset, { ...wanted, fee: fee + 1n })
  return { psbt: Buffer.from(psbt, 'base64'), txId, fee, outputs }
}

type Planning = Pick<
  Parameters<typeof planSweep>[1],
  'wallet_id' | 'collector' | 'trigger' | 'started_by' | 'amount_usd'
>

/**
 * Plans a sweep that a device signs. It takes its addresses and outputs; what its transaction moves belongs to the sweep
 * whoever broadcasts it, because the transaction's id is known before it is signed.
 * @throws ADDRESS_LOCKED
 */
export async function planBatch(
  tx: Context,
  asset: Asset,
  { sweep, items, built }: { readonly sweep: Planning; readonly items: readonly NewItem[]; readonly built: BuiltBatch },
): Promise<SweepRow> {
  const { id: assetId, blockchainId } = asset
  const expiresAt = new Date(tx.now().getTime() + RESERVED_MS)
  const units = items.reduce((sum, item) => sum + item.units, 0n)
  const row = await planSweep(
    tx,
    {
      ...{ ...sweep, method: 'psbt', vault: '', sent_by: 'device', units, max_fee: built.fee },
      ...{ blockchain_id: blockchainId, asset_id: assetId, expires_at: expiresAt },
    },
    items,
  )
  const outputs = built.outputs.map(({ address_id, tx_id, vout, units: held }) => ({
    ...{ address_id, tx_id, vout, units: held },
  }))
  if (!(await insertInputs(tx, { sweepId: row.id, blockchainId }, outputs))) {
    return fail('ADDRESS_LOCKED', { values: { time: expiresAt.toISOString() } })
  }
  await storePsbt(tx, row, built, 1)
  return row
}

/** Stores a transaction of a sweep for the device that signs it, and the intent of that transaction. */
export async function storePsbt(
  tx: Context,
  { id, blockchain_id: blockchainId }: SweepRow,
  { psbt, txId, fee }: Pick<BuiltBatch, 'psbt' | 'txId' | 'fee'>,
  n: number,
): Promise<void> {
  await insertPsbt(tx, { sweep_id: id, n, blockchain_id: blockchainId, tx_id: txId, psbt, fee_units: fee })
  await intendMovement(tx, { blockchainId, txId, kind: 'sweep', sendId: null, sweepId: id })
}

/** The asset of a sweep that a device signs. */
export async function assetOf(ctx: Context, { asset_id }: Pick<SweepRow, 'asset_id'>): Promise<Asset> {
  return getAsset(ctx, asset_id)
}
