import { Broken } from '../broken.ts'
import { assetsIn } from '../payer.ts'
import type { SimulatedChain, World } from '../world.ts'

/** The payouts that are decided and that no chain has settled; nothing where the world pays nobody. */
export async function whatIsUnpaid(world: World, chainIds: readonly number[]): Promise<string> {
  if (!world.treasury) return ''
  const { rows } = await world.database.query(
    `SELECT id, status, wait_code FROM withdrawals
     WHERE status IN ('pending', 'initiated', 'sent') AND blockchain_id = ANY ($1) ORDER BY id`,
    [chainIds],
  )
  world.treasury.isBusy = rows.length > 0
  return rows.map((row) => `payout ${text(row['id'])} is ${text(row['status'])} ${text(row['wait_code'])}`).join(', ')
}

/** Checks that each payout is paid once where it says so, and not at all where it does not. @throws Broken */
export async function checkPaidOnce(world: World): Promise<void> {
  if (!world.treasury) return
  for (const chain of world.chains.filter(({ isHalted }) => !isHalted)) {
    const { rows } = await world.database.query(
      `SELECT id, status, units::text AS units, asset_id, lower(to_address) AS "to" FROM withdrawals WHERE blockchain_id = $1`,
      [chain.id],
    )
    for (const row of rows) {
      const due = row['status'] === 'processed' ? String(row['units']) : '0'
      const paid = String(arrived(world, chain, { to: String(row['to']), assetId: Number(row['asset_id']) }))
      if (paid === due) continue
      throw new Broken(
        'paid once',
        `payout ${text(row['id'])} is ${text(row['status'])} of ${text(row['units'])}, and ${paid} arrived`,
      )
    }
    await checkFloat(world, chain)
  }
}

type Place = { readonly to: string; readonly assetId: number }

function arrived(world: World, { chain }: SimulatedChain, { to, assetId }: Place): bigint {
  const token = assetsIn(world).find(({ id }) => id === assetId)?.token ?? null
  let units = 0n
  for (const move of chain.view().blocks.flatMap(({ transactions }) => transactions.flatMap(({ moves }) => moves))) {
    if (move.token !== token) continue
    if (move.to === to) units += move.units
    if (move.from === to) units -= move.units
  }
  return units
}

/** Checks that the ledger knows of the hot wallet what the chain holds there, fees included. @throws Broken */
async function checkFloat(world: World, chain: SimulatedChain): Promise<void> {
  const { treasury, database } = world
  if (!treasury) return
  for (const asset of assetsIn(world).filter((one) => one.chain === chain.code)) {
    const { rows } = await database.query(
      `SELECT coalesce(sum(debits - credits), 0)::text AS units FROM accounts
       WHERE kind IN ('chain:hot', 'chain:hot-held') AND owner_key = $1 AND unit_id = $2`,
      [`wallet:${treasury.walletId}`, asset.id],
    )
    const held = String(arrived(world, chain, { to: treasury.address, assetId: asset.id }))
    if (held === rows[0]?.['units']) continue
    throw new Broken(
      'ledger = chain',
      `the hot wallet holds ${held} of asset ${asset.id}, the ledger says ${text(rows[0]?.['units'])}`,
    )
  }
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'bigint' ? String(value) : ''
}
