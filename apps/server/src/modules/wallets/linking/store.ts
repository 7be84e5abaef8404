import { type Selectable, sql } from 'kysely'

import type { Context } from '../../../context.ts'
import type { LinkTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<LinkTables>()

export type LinkRow = Selectable<LinkTables['project_wallets']>

export type PendingLinkRow = Selectable<LinkTables['pending_wallet_links']>

/** A wallet of a project in a chain family. */
type Place = { readonly projectId: number; readonly familyId: number; readonly walletId: number }

/** Links of these projects, ordered by project and family. */
export async function listLinks(ctx: Context, projectIds: readonly number[] | 'every'): Promise<LinkRow[]> {
  const query = tables(ctx).selectFrom('project_wallets').selectAll().orderBy('project_id').orderBy('family_id')
  if (projectIds === 'every') return query.execute()
  return projectIds.length === 0 ? [] : query.where('project_id', 'in', projectIds).execute()
}

/** Wallets that take the place of those of these projects later, ordered by project and family. */
export async function listPendingLinks(
  ctx: Context,
  projectIds: readonly number[] | 'every',
): Promise<PendingLinkRow[]> {
  const query = tables(ctx).selectFrom('pending_wallet_links').selectAll().orderBy('project_id').orderBy('family_id')
  if (projectIds === 'every') return query.execute()
  return projectIds.length === 0 ? [] : query.where('project_id', 'in', projectIds).execute()
}

/** Changes whose time has come, the earliest first. */
export async function listDueLinks(ctx: Context): Promise<PendingLinkRow[]> {
  return tables(ctx)
    .selectFrom('pending_wallet_links')
    .selectAll()
    .where('effective_at', '<=', ctx.now())
    .orderBy('effective_at')
    .execute()
}

/** The wallet a project uses for a family. */
export async function findLink(ctx: Context, projectId: number, familyId: number): Promise<LinkRow | undefined> {
  return tables(ctx)
    .selectFrom('project_wallets')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('family_id', '=', familyId)
    .executeTakeFirst()
}

/** The id of the wallet a project uses for a family or, where it was unlinked, used last; undefined where it never had one. */
export async function findFormerWallet(ctx: Context, projectId: number, familyId: number): Promise<number | undefined> {
  const { rows } = await sql<{ wallet_id: number }>`
    SELECT wallet_id FROM project_wallets WHERE project_id = ${projectId} AND family_id = ${familyId}
    UNION ALL
    SELECT wallet_id FROM unlinked_wallets WHERE project_id = ${projectId} AND family_id = ${familyId}
    LIMIT 1`.execute(ctx.db)
  return rows[0]?.wallet_id
}

/** Key of the lock on the links of one project. */
const LINKS_LOCK = 0x4b45

/** Locks the links of these projects until the transaction ends, in one order. */
export async function lockLinks(ctx: Context, projectIds: readonly number[]): Promise<void> {
  if (projectIds.length === 0) return
  const ids = projectIds.toSorted((a, b) => a - b)
  await sql`SELECT pg_advisory_xact_lock(${LINKS_LOCK}::int, id) FROM unnest(${ids}::int[]) WITH ORDINALITY AS one (id, place)
    ORDER BY place`.execute(ctx.db)
}

/** Links the wallet, in place of another one or of a change that waits. Lock the links of the project first. */
export async function upsertLink(ctx: Context, { projectId, familyId, walletId }: Place): Promise<void> {
  await tables(ctx)
    .insertInto('project_wallets')
    .values({ project_id: projectId, family_id: familyId, wallet_id: walletId, created_at: ctx.now() })
    .onConflict((conflict) => conflict.columns(['project_id', 'family_id']).doUpdateSet({ wallet_id: walletId }))
    .execute()
  await tables(ctx)
    .deleteFrom('pending_wallet_links')
    .where('project_id', '=', projectId)
    .where('family_id', '=', familyId)
    .execute()
  await tables(ctx)
    .deleteFrom('unlinked_wallets')
    .where('project_id', '=', projectId)
    .where('family_id', '=', familyId)
    .execute()
}

/** Stores that a wallet is linked later, in place of another one that was to be. Lock the links of the project first. */
export async function upsertPendingLink(
  ctx: Context,
  { projectId, familyId, walletId, ...when }: Place & { readonly by: number | null; readonly effectiveAt: Date },
): Promise<void> {
  const change = {
    wallet_id: walletId,
    requested_by: when.by,
    requested_at: ctx.now(),
    effective_at: when.effectiveAt,
  }
  await tables(ctx)
    .insertInto('pending_wallet_links')
    .values({ project_id: projectId, family_id: familyId, ...change })
    .onConflict((conflict) => conflict.columns(['project_id', 'family_id']).doUpdateSet(change))
    .execute()
}

/** Ends a change whose time has come; false when it was withdrawn or asked for anew. */
export async function deleteDueLink(ctx: Context, { projectId, familyId, walletId }: Place): Promise<boolean> {
  const { numDeletedRows } = await tables(ctx)
    .deleteFrom('pending_wallet_links')
    .where('project_id', '=', projectId)
    .where('family_id', '=', familyId)
    .where('wallet_id', '=', walletId)
    .where('effective_at', '<=', ctx.now())
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Withdraws the changes that would link a wallet later, to one project or to all; returns their families. */
export async function deletePendingLinks(ctx: Context, walletId: number, projectId?: number): Promise<number[]> {
  const rows = await tables(ctx)
    .deleteFrom('pending_wallet_links')
    .where('wallet_id', '=', walletId)
    .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId ?? 0))
    .returning('family_id')
    .execute()
  return rows.map(({ family_id: id }) => id)
}

/** Unlinks a wallet from a project and stores that it had it last; returns the families it was linked for. */
export async function deleteLink(ctx: Context, projectId: number, walletId: number): Promise<number[]> {
  const { rows } = await sql<{ family_id: number }>`
    WITH unlinked AS (
      DELETE FROM project_wallets WHERE project_id = ${projectId} AND wallet_id = ${walletId} RETURNING family_id
    )
    INSERT INTO unlinked_wallets (project_id, family_id, wallet_id, unlinked_at)
    SELECT ${projectId}, family_id, ${walletId}, ${ctx.now()} FROM unlinked
    ON CONFLICT (project_id, family_id) DO UPDATE SET wallet_id = excluded.wallet_id, unlinked_at = excluded.unlinked_at
    RETURNING family_id`.execute(ctx.db)
  return rows.map(({ family_id: id }) => id)
}
