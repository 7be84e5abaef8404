import type { Context } from '../../context.ts'
import type { ProjectTables } from './tables.ts'
import { sql } from 'kysely'

/** Columns of `blockchains` and `wallets`: read here, never written. */
type Neighbours = {
  assets: { id: number; deposit_enabled: boolean }
  project_wallets: { project_id: number; family_id: number }
}

const tables = (ctx: Context) => ctx.db.$extendTables<ProjectTables & Neighbours>()

/** Lists the ids of the assets a project accepts. */
export async function listAcceptedIds(ctx: Context, projectId: number): Promise<number[]> {
  const rows = await tables(ctx)
    .selectFrom('project_assets')
    .select('asset_id')
    .where('project_id', '=', projectId)
    .execute()
  return rows.map((row) => row.asset_id)
}

/** Lists the families for which a project has a deposit wallet. */
export async function listLinkedFamilies(ctx: Context, projectId: number): Promise<number[]> {
  const rows = await tables(ctx)
    .selectFrom('project_wallets')
    .select('family_id')
    .where('project_id', '=', projectId)
    .execute()
  return rows.map((row) => row.family_id)
}

/** Locks a project until the transaction ends, so that two changes of its accepted set cannot mix. */
export async function lockProject(ctx: Context, projectId: number): Promise<void> {
  await tables(ctx).selectFrom('projects').select('id').where('id', '=', projectId).forNoKeyUpdate().execute()
}

/** Makes these the assets a project accepts. */
export async function replaceAccepted(ctx: Context, projectId: number, assetIds: readonly number[]): Promise<void> {
  await tables(ctx)
    .deleteFrom('project_assets')
    .where('project_id', '=', projectId)
    .$if(assetIds.length > 0, (query) => query.where('asset_id', 'not in', assetIds))
    .execute()
  if (assetIds.length === 0) return
  await tables(ctx)
    .insertInto('project_assets')
    .values(assetIds.map((assetId) => ({ project_id: projectId, asset_id: assetId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Lets a project accept every asset that is switched on. */
export async function insertAcceptedAssets(ctx: Context, projectId: number): Promise<void> {
  await tables(ctx)
    .insertInto('project_assets')
    .columns(['project_id', 'asset_id'])
    .expression((eb) =>
      eb
        .selectFrom('assets')
        .select([sql<number>`${projectId}::int`.as('project_id'), 'id'])
        .where('deposit_enabled', '=', true),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
