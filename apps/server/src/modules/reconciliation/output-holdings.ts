/** What addresses hold where coins lie in outputs: a node tells of each output that our rows know whether it is spent. */
import type { ChainAdapter, ChainSession } from '@kassa/chains/adapter.ts'
import { sql } from 'kysely'

import type { Context } from '../../context.ts'

type Psbts = NonNullable<ChainAdapter['psbts']>

/** An address and an asset; `booked` is what our rows say that it holds. */
type Ask = { readonly place: { readonly addressId: bigint | null }; readonly assetId: number; readonly booked: bigint }

/**
 * Adds up the unspent outputs of customers' addresses, in the order asked. Nothing is asked of an address that was emptied, as
 * all of its outputs are spent then. A payment that no row of ours knows is not seen here, but by reading its block again.
 * @throws the node's failure
 */
export async function readOutputs(
  ctx: Context,
  session: ChainSession,
  psbts: Psbts,
  asks: readonly Ask[],
): Promise<bigint[]> {
  const holding = asks.filter(({ booked }) => booked > 0n)
  const outputs = await listOutputs(ctx, psbts, holding)
  const unspent = await psbts.unspent(session, outputs)
  const held = new Map<string, bigint>()
  for (const [at, { name, units }] of outputs.entries()) {
    if (unspent[at] === true) held.set(name, (held.get(name) ?? 0n) + units)
  }
  return asks.map(({ place, assetId }) => held.get(nameOf(place.addressId, assetId)) ?? 0n)
}

type Output = { readonly txId: string; readonly vout: number; readonly name: string; readonly units: bigint }

async function listOutputs(ctx: Context, psbts: Psbts, asks: readonly Ask[]): Promise<readonly Output[]> {
  const ids = [...new Set(asks.map(({ place }) => String(place.addressId)))]
  const assetIds = [...new Set(asks.map(({ assetId }) => assetId))]
  const { rows } = await sql<{ address_id: bigint; asset_id: number; tx_id: string; leg: string; units: string }>`
    SELECT address_id, asset_id, tx_id, leg, units::text AS units FROM deposits
    WHERE address_id = ANY(${ids}::bigint[]) AND asset_id = ANY(${assetIds}::int[]) AND status <> 'reverted'
    UNION ALL
    SELECT to_address_id, asset_id, tx_id, leg, (units - fee_units)::text FROM movements
    WHERE to_address_id = ANY(${ids}::bigint[]) AND asset_id = ANY(${assetIds}::int[]) AND status <> 'reverted'`.execute(
    ctx.db,
  )
  const outputs = new Map<string, Output>()
  for (const { address_id, asset_id, tx_id, leg, units } of rows) {
    const vout = psbts.outputOf(leg)
    if (vout === null) continue
    // Several senders of ours share one output: what each of them gave to it is a transfer of its own.
    const known = outputs.get(`${tx_id}:${vout}`)
    const name = nameOf(address_id, asset_id)
    outputs.set(`${tx_id}:${vout}`, { txId: tx_id, vout, name, units: BigInt(units) + (known?.units ?? 0n) })
  }
  return [...outputs.values()]
}

function nameOf(addressId: bigint | null, assetId: number): string {
  return `${addressId}:${assetId}`
}
