import { Broken } from '../broken.ts'
import { assetsIn } from '../payer.ts'
import { collectorOf } from './vaults.ts'
import type { SimulatedChain, World } from '../world.ts'

/**
 * The payouts and sweeps that are decided and that no chain has settled; nothing where the world pays nobody. A sweep that is
 * too dear waits for lower prices and is given up after half an hour, by its rules (S-6): nobody waits for that here.
 */
export async function whatIsUnpaid(world: World, chainIds: readonly number[]): Promise<string> {
  if (!world.treasury) return ''
  const { rows } = await world.database.query(
    `SELECT 'payout' AS what, id, status, wait_code, blockchain_id FROM withdrawals
     WHERE status IN ('pending', 'initiated', 'sent') AND blockchain_id = ANY ($1)
     UNION ALL SELECT 'sweep', id, status, wait_code, blockchain_id FROM sweeps
     WHERE status IN ('planned', 'sweep-initiated', 'broadcast') AND blockchain_id = ANY ($1)
       AND NOT (status = 'planned' AND wait_code IS NOT DISTINCT FROM 'GAS_TOO_HIGH')
     UNION ALL SELECT 'drawn', id, status, NULL, blockchain_id FROM movements
     WHERE kind = 'deposit-drawn' AND status IN ('seen', 'final') AND booked_at IS NULL AND blockchain_id = ANY ($1)
     UNION ALL SELECT 'send', id, state, purpose, blockchain_id FROM sends
     WHERE decided_at IS NULL AND blockchain_id = ANY ($1)
     UNION ALL SELECT 'permission', id, state, kind, blockchain_id FROM sweep_permissions
     WHERE state = 'broadcast' AND blockchain_id = ANY ($1)
     ORDER BY 1, 2`,
    [chainIds],
  )
  const { treasury } = world
  const said = (row: Row) => ['what', 'id', 'status', 'wait_code'].map((name) => text(row[name])).join(' ')
  const waiting = rows.map(said).join(', ')
  treasury.looks = waiting === treasury.waiting ? treasury.looks + 1 : 0
  treasury.waiting = waiting
  treasury.isBusy = rows.length > 0
  const isSent = ({ status }: Row) => status === 'sent' || status === 'broadcast'
  const isPermitted = rows.every((row) => row['what'] === 'permission' && mayLapse(world, Number(row['blockchain_id'])))
  // What waits behind something that was sent is not sent itself.
  const isLapsing = rows.some(isSent) && (rows.every(isSent) || treasury.looks >= LOOKS_WITHOUT_CHANGE)
  treasury.isLapsing = isLapsing && !isPermitted
  treasury.isPermissionLapsing = isLapsing && isPermitted
  return waiting
}

/** Looks between which something is given to nodes, if nothing has to be waited for. */
const LOOKS_WITHOUT_CHANGE = 10

/** Whether what keys of deposit addresses signed lapses on a chain. */
function mayLapse({ chains }: World, blockchainId: number): boolean {
  return chains.some(({ id, family }) => id === blockchainId && family.permissionLifeMs !== undefined)
}

/** How long something that was signed may still be mined, of which nobody knows otherwise that it will not be. */
export function longestLife({ treasury, chains }: World): number {
  return treasury ? Math.max(...chains.map(({ family }) => family.lifeMs ?? 0)) : 0
}

/** The same of what keys of deposit addresses signed. */
export function longestPermission({ treasury, chains }: World): number {
  return treasury ? Math.max(...chains.map(({ family }) => family.permissionLifeMs ?? 0)) : 0
}

/** Checks that each payout is paid once where it says so, and not at all where it does not. @throws Broken */
export async function checkPaidOnce(world: World): Promise<void> {
  if (!world.treasury) return
  for (const chain of world.chains.filter(({ isHalted }) => !isHalted)) {
    const { rows } = await world.database.query(
      `SELECT id, status, units::text AS units, asset_id, to_address AS "to" FROM withdrawals WHERE blockchain_id = $1`,
      [chain.id],
    )
    for (const row of rows) {
      const due = row['status'] === 'processed' ? String(row['units']) : '0'
      const paid = String(
        arrived(world, chain, { to: chain.family.spell(String(row['to'])), assetId: Number(row['asset_id']) }),
      )
      if (paid === due) continue
      throw new Broken(
        'paid once',
        `payout ${text(row['id'])} is ${text(row['status'])} of ${text(row['units'])}, and ${paid} arrived`,
      )
    }
    await checkFloat(world, chain)
  }
}

type Row = Readonly<Record<string, unknown>>
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
  const own = assetsIn(world).filter((one) => one.chain === chain.code)
  const wallets = treasury.wallets.filter(({ family }) => family === chain.family.name)
  for (const { asset, wallet } of wallets.flatMap((wallet) => own.map((asset) => ({ asset, wallet })))) {
    const { rows } = await database.query(
      `SELECT coalesce(sum(debits - credits), 0)::text AS units FROM accounts
       WHERE kind IN ('chain:hot', 'chain:hot-held') AND owner_key = $1 AND unit_id = $2`,
      [`wallet:${wallet.walletId}`, asset.id],
    )
    const held = String(arrived(world, chain, { to: wallet.address, assetId: asset.id }))
    if (held === rows[0]?.['units']) continue
    throw new Broken(
      'ledger = chain',
      `hot wallet ${wallet.walletId} holds ${held} of asset ${asset.id}, the ledger says ${text(rows[0]?.['units'])}`,
    )
  }
}

/** Checks that the cold wallet received what the ledger and the sweeps say, and that nothing is on its way for good. @throws Broken */
export async function checkSwept(world: World): Promise<void> {
  const { treasury, database } = world
  if (!treasury) return
  for (const chain of world.chains.filter(({ isHalted }) => !isHalted)) {
    for (const { id } of assetsIn(world).filter((one) => one.chain === chain.code)) {
      const { rows } = await database.query(
        `SELECT (SELECT coalesce(sum(item.units), 0)::text FROM sweep_items AS item WHERE item.asset_id = $1 AND state = 'swept') AS swept,
           (SELECT coalesce(sum(debits - credits), 0)::text FROM accounts WHERE kind = 'chain:cold' AND unit_id = $1) AS cold,
           (SELECT coalesce(sum(debits - credits), 0)::text FROM accounts WHERE kind = 'chain:transit' AND unit_id = $1) AS transit`,
        [id],
      )
      const [row] = rows
      const collector = chain.family.spell(collectorOf(chain.family.name))
      const held = arrived(world, chain, { to: collector, assetId: id })
      const left = String(held + feesOfSweeps(chain, collector))
      if (row?.['swept'] === left && row['cold'] === String(held) && row['transit'] === '0') continue
      throw new Broken(
        'swept once',
        `the cold wallet holds ${held} of asset ${id}, the program says ${JSON.stringify(row)}`,
      )
    }
  }
}

/** What the network kept of what was swept, where that pays for its own way. */
function feesOfSweeps({ chain, family }: SimulatedChain, collector: string): bigint {
  if (!family.isPaidByCoins) return 0n
  const sweeps = chain
    .view()
    .blocks.flatMap(({ transactions }) => transactions)
    .filter(({ moves }) => moves.some(({ to }) => to === collector))
  return sweeps.reduce((sum, { fee = 0n }) => sum + fee, 0n)
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'bigint' ? String(value) : ''
}
