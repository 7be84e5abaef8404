import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'

import type { Context } from '../../../context.ts'
import type { NodeRow, StoredHealth } from './node.ts'
import type { NodeTables } from './tables.ts'

type NodeTable = NodeTables['rpc_nodes']

const tables = (ctx: Context) => ctx.db.$extendTables<NodeTables>()

/** Lists the nodes of a blockchain, or of all, the preferred one first. */
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

export type NetworkSwitches = { readonly id: number; readonly isActive: boolean; readonly hasNode: boolean }

/** Lists which blockchains are active and which have a node that is switched on, by id. */
export async function listSwitches(ctx: Context): Promise<NetworkSwitches[]> {
  const { rows } = await sql<NetworkSwitches>`
    SELECT id, status = 'active' AS "isActive",
      EXISTS (SELECT FROM rpc_nodes WHERE blockchain_id = blockchains.id AND is_active) AS "hasNode"
    FROM blockchains ORDER BY id`.execute(ctx.db)
  return rows
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

/** Clears the preferred mark of every other node of a blockchain. */
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

/** Stores what a node identified itself as. */
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

/** Stores the health of a node, for the other processes. */
export async function updateNodeHealth(ctx: Context, id: number, health: StoredHealth): Promise<void> {
  await tables(ctx)
    .updateTable('rpc_nodes')
    .set({ health: JSON.stringify(health) })
    .where('id', '=', id)
    .execute()
}

/** Adds calls to those of a UTC day; a new day starts at zero. */
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

/** Marks a node as forked with a reason, or clears the mark with null; returns whether this changed anything. */
export async function updateForked(ctx: Context, id: number, forked: string | null): Promise<boolean> {
  const { numUpdatedRows } = await tables(ctx)
    .updateTable('rpc_nodes')
    .set({ forked, updated_at: ctx.now() })
    .where('id', '=', id)
    .where('forked', forked === null ? 'is not' : 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The nodes of local chains; the one of Bitcoin asks for a password. */
const LOCAL = ['http://127.0.0.1:%', 'http://kassa:sandbox@127.0.0.1:%']

/** Makes `url` the preferred node of a blockchain, in place of its former local chain on another port. */
export async function replaceNodes(
  ctx: Context,
  { blockchainId, url }: { blockchainId: number; url: string },
): Promise<void> {
  await tables(ctx)
    .deleteFrom('rpc_nodes')
    .where('blockchain_id', '=', blockchainId)
    .where('url', '<>', url)
    .where((eb) => eb.or(LOCAL.map((pattern) => eb('url', 'like', pattern))))
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
