import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'

import type { Context } from '../../../context.ts'
import type { NodeRow, StoredHealth } from './node.ts'
import type { NodeTables } from './tables.ts'

type NodeTable = NodeTables['rpc_nodes']

const tables = (ctx: Context) => ctx.db.$extendTables<NodeTables>()

/** Lists the nodes of a blockchain, or of all, the one to ask first at the head. */
export async function listNodes(ctx: Context, blockchainId?: number): Promise<NodeRow[]> {
  const rows = await tables(ctx)
    .selectFrom('rpc_nodes')
    .selectAll()
    .$if(blockchainId !== undefined, (query) => query.where('blockchain_id', '=', blockchainId ?? 0))
    .orderBy('is_preferred', 'desc')
    .orderBy('priority')
    .orderBy('id')
    .execute()
  return rows.map(nodeFromRow)
}

/** Inserts a node. */
export async function insertNode(ctx: Context, node: Insertable<NodeTable>): Promise<NodeRow> {
  const row = await tables(ctx).insertInto('rpc_nodes').values(node).returningAll().executeTakeFirstOrThrow()
  return nodeFromRow(row)
}

/** Changes columns of a node. */
export async function updateNode(ctx: Context, id: number, values: Updateable<NodeTable>): Promise<NodeRow> {
  const row = await tables(ctx)
    .updateTable('rpc_nodes')
    .set({ ...values, updated_at: ctx.now() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return nodeFromRow(row)
}

/** Makes every other node of a blockchain one that is not preferred. */
export async function preferNoOther(ctx: Context, blockchainId: number, nodeId: number | null): Promise<void> {
  await tables(ctx)
    .updateTable('rpc_nodes')
    .set({ is_preferred: false })
    .where('blockchain_id', '=', blockchainId)
    .where('is_preferred', '=', true)
    .$if(nodeId !== null, (query) => query.where('id', '<>', nodeId ?? 0))
    .execute()
}

/** Removes a node. */
export async function deleteNode(ctx: Context, id: number): Promise<void> {
  await tables(ctx).deleteFrom('rpc_nodes').where('id', '=', id).execute()
}

/** Notes what a node said it is. */
export async function updateNodeIdentity(
  ctx: Context,
  { id, chainIdentifier, client }: { id: number; chainIdentifier: string; client: string },
): Promise<void> {
  await tables(ctx)
    .updateTable('rpc_nodes')
    .set({ chain_identifier: chainIdentifier, client, updated_at: ctx.now() })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('chain_identifier', 'is distinct from', chainIdentifier), eb('client', '<>', client)]))
    .execute()
}

/** Stores how a node is, for the other processes. */
export async function updateNodeHealth(ctx: Context, id: number, health: StoredHealth): Promise<void> {
  await tables(ctx)
    .updateTable('rpc_nodes')
    .set({ health: JSON.stringify(health) })
    .where('id', '=', id)
    .execute()
}

/** Adds calls to those of a UTC day; the first of a new day begin at nothing. */
export async function addNodeCalls(ctx: Context, id: number, day: string, calls: number): Promise<void> {
  await tables(ctx)
    .updateTable('rpc_nodes')
    .set({
      calls_day: day,
      calls_today: sql<number>`CASE WHEN calls_day = ${day}::date THEN calls_today ELSE 0 END + ${calls}`,
    })
    .where('id', '=', id)
    .execute()
}

/** Sets a node aside for a reason, or takes it back with null; returns whether this changed anything. */
export async function updateForked(ctx: Context, id: number, forked: string | null): Promise<boolean> {
  const { numUpdatedRows } = await tables(ctx)
    .updateTable('rpc_nodes')
    .set({ forked, updated_at: ctx.now() })
    .where('id', '=', id)
    .where('forked', forked === null ? 'is not' : 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Makes `url` the preferred node of a blockchain in place of the local chain it had before, whose port was another. */
export async function replaceNodes(
  ctx: Context,
  { blockchainId, url }: { blockchainId: number; url: string },
): Promise<void> {
  await tables(ctx)
    .deleteFrom('rpc_nodes')
    .where('blockchain_id', '=', blockchainId)
    .where('url', '<>', url)
    .where('url', 'like', 'http://127.0.0.1:%')
    .where('secret_id', 'is', null)
    .execute()
  await preferNoOther(ctx, blockchainId, null)
  await tables(ctx)
    .insertInto('rpc_nodes')
    .values({
      blockchain_id: blockchainId,
      url,
      node_type: 'free',
      is_preferred: true,
      is_active: true,
      priority: 0,
      client: '',
    })
    .onConflict((conflict) =>
      conflict
        .columns(['blockchain_id', 'url'])
        .where('secret_id', 'is', null)
        .doUpdateSet({ is_active: true, is_preferred: true, forked: null }),
    )
    .execute()
}

function nodeFromRow(row: Selectable<NodeTable>): NodeRow {
  return {
    id: row.id,
    blockchainId: row.blockchain_id,
    url: row.url,
    secretId: row.secret_id,
    nodeType: row.node_type,
    isPreferred: row.is_preferred,
    isActive: row.is_active,
    priority: row.priority,
    chainIdentifier: row.chain_identifier,
    client: row.client,
    maxDailyCalls: row.max_daily_calls,
    callsDay: row.calls_day,
    callsToday: row.calls_today,
    health: row.health,
    forked: row.forked,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
