import { type RawBuilder, sql } from 'kysely'

import type { Context, ProjectScope } from '../../context.ts'
import { ACCOUNTS, type AccountKind, type Unit } from './rules.ts'
import { listUnits, unitIn } from './entries-store.ts'

type ProjectIds = ProjectScope['projectIds']

export type Balance = { readonly account: AccountKind; readonly unit: Unit; readonly units: bigint }

/** The kinds of account that a project or a promoter can own: those of coins are owned by places. */
const CLAIMS = Object.keys(ACCOUNTS).filter((kind) => !kind.startsWith('chain:'))

/** What the accounts of these projects hold now: their claims, those of their promoters, and the coins on addresses of their customers. */
export function listBalances(ctx: Context, projectIds: ProjectIds): Promise<Balance[]> {
  const owners = projectIds === 'every' ? null : projectIds.map((id) => `project:${id}`)
  const ofProject = owners === null ? sql`owner_key LIKE 'project:%'` : sql`owner_key = ANY (${owners}::text[])`
  const ofPromoter =
    projectIds === 'every'
      ? sql`owner_key LIKE 'referrer:%'`
      : sql`owner_key IN (SELECT 'referrer:' || id FROM referrers WHERE project_id = ANY (${projectIds}::int[]))`
  return balancesOf(
    ctx,
    sql`
    SELECT kind AS account, unit_id, sum(debits - credits) AS debit FROM accounts
    WHERE kind = ANY (${CLAIMS}::text[]) AND ${ofProject} GROUP BY kind, unit_id
    UNION ALL
    SELECT kind, unit_id, sum(debits - credits) FROM accounts
    WHERE kind IN ('referral:payable', 'referral:held', 'referral:receivable') AND ${ofPromoter} GROUP BY kind, unit_id
    UNION ALL ${coinsOf(projectIds)}`,
  )
}

/** Lists the coins on deposit addresses of these projects by asset. */
export function listCoins(ctx: Context, projectIds: ProjectIds): Promise<Balance[]> {
  return balancesOf(ctx, coinsOf(projectIds))
}

function coinsOf(projectIds: ProjectIds): RawBuilder<unknown> {
  return sql`
    SELECT 'chain:deposit-addresses' AS account, unit_id, sum(units) AS debit
    FROM ${COINS} WHERE ${inProjects(projectIds)} GROUP BY unit_id`
}

const inProjects = (ids: ProjectIds) => (ids === 'every' ? sql`true` : sql`coin.project_id = ANY (${ids}::int[])`)

/** Changes of coins with where they are: the project and the wallet of the address that an account belongs to. */
const PLACED = sql`
  SELECT coalesce(address.project_id, 0) AS project_id, coalesce(address.wallet_id, 0) AS wallet_id, account.unit_id, change.units`
const OF_ADDRESS = sql`JOIN accounts AS account ON account.id = change.account_id
  LEFT JOIN addresses AS address
    ON address.id = CASE WHEN account.owner_key ~ '^address:\\d{1,18}$' THEN substr(account.owner_key, 9)::bigint END`

/** The coins on deposit addresses by project, wallet and asset: the stored totals, and the changes not yet added to them. */
const COINS = sql`(
  SELECT project_id, wallet_id, unit_id, units FROM coin_totals UNION ALL ${PLACED} FROM coin_changes AS change ${OF_ADDRESS}) AS coin`

/** Changes added to the totals at once. */
const MOST_CHANGES = 50_000

/**
 * Adds pending changes to the coin totals of their projects, oldest first; returns whether more were waiting. Totals are
 * updated in one order, so that two runs at once cannot deadlock.
 */
export async function compactCoins(ctx: Context): Promise<boolean> {
  const { rows } = await sql<{ taken: bigint }>`
    WITH taken AS (
      DELETE FROM coin_changes WHERE id <= (
        SELECT max(id) FROM (SELECT id FROM coin_changes ORDER BY id LIMIT ${MOST_CHANGES} FOR UPDATE) AS oldest)
      RETURNING *
    ), summed AS (
      INSERT INTO coin_totals AS total (project_id, wallet_id, unit_id, units)
      SELECT project_id, wallet_id, unit_id, sum(units) FROM (${PLACED} FROM taken AS change ${OF_ADDRESS}) AS placed
      GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (project_id, wallet_id, unit_id) DO UPDATE SET units = total.units + excluded.units
    )
    SELECT count(*) AS taken FROM taken`.execute(ctx.db)
  return Number(rows[0]?.taken ?? 0n) === MOST_CHANGES
}

export type WalletBalance = Balance & { readonly walletId: number }

/**
 * What wallets hold now, by wallet, account and asset: hot and cold ones, and the coins on addresses of deposit wallets whose
 * customers are of these projects.
 */
export async function listWalletBalances(ctx: Context, projectIds: ProjectIds): Promise<WalletBalance[]> {
  const units = await listUnits(ctx)
  const { rows } = await sql<{ account: AccountKind; wallet_id: number; unit_id: number; debit: string }>`
    SELECT kind AS account, split_part(owner_key, ':', 2)::int AS wallet_id, unit_id, debits - credits AS debit
    FROM accounts WHERE kind IN ('chain:hot', 'chain:hot-held', 'chain:cold') AND owner_key LIKE 'wallet:%'
    UNION ALL
    SELECT 'chain:deposit-addresses', wallet_id, unit_id, sum(units)
    FROM ${COINS} WHERE ${inProjects(projectIds)} GROUP BY wallet_id, unit_id HAVING sum(units) > 0
    ORDER BY wallet_id, unit_id, account`.execute(ctx.db)
  return rows.map(({ account, wallet_id: walletId, unit_id: unitId, debit }) => ({
    ...{ account, walletId, unit: unitIn(units, unitId) },
    units: BigInt(debit),
  }))
}

/** What `listBalances` gives, as of a time: the sums of what had been posted by then. */
export function listBalancesAt(ctx: Context, projectIds: ProjectIds, at: Date): Promise<Balance[]> {
  const inScope = projectIds === 'every' ? sql`true` : sql`entry.project_id = ANY (${projectIds}::int[])`
  return balancesOf(
    ctx,
    sql`
    SELECT account.kind AS account, line.unit_id, sum(line.debit) AS debit
    FROM journal_entries AS entry
    JOIN postings AS posting ON posting.entry_id = entry.id
    CROSS JOIN LATERAL (VALUES
      (posting.debit_account, posting.unit_id, posting.units), (posting.credit_account, posting.unit_id, -posting.units)
    ) AS line (account_id, unit_id, debit)
    JOIN accounts AS account ON account.id = line.account_id
    WHERE ${inScope} AND entry.at <= ${at} AND account.kind <> 'chain:unconfirmed'
    GROUP BY account.kind, line.unit_id`,
  )
}

async function balancesOf(ctx: Context, query: RawBuilder<unknown>): Promise<Balance[]> {
  const units = await listUnits(ctx)
  const { rows } = await sql<{ account: AccountKind; unit_id: number; debit: string }>`
    ${query} ORDER BY account, unit_id`.execute(ctx.db)
  return rows.map(({ account, unit_id: unitId, debit }) => ({
    account,
    unit: unitIn(units, unitId),
    units: ACCOUNTS[account].side === 'D' ? BigInt(debit) : -BigInt(debit),
  }))
}

/** Debits minus credits of each unit of account: 0 each. */
export async function listDifferences(ctx: Context): Promise<{ unit: Unit; units: bigint }[]> {
  const units = await listUnits(ctx)
  const { rows } = await sql<{ unit_id: number; debit: string }>`
    SELECT unit_id, sum(debits - credits) AS debit FROM accounts GROUP BY unit_id ORDER BY unit_id`.execute(ctx.db)
  return rows.map(({ unit_id: unitId, debit }) => ({ unit: unitIn(units, unitId), units: BigInt(debit) }))
}
