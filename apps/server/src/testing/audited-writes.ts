/** Proves of every suite that calls the program: each write that succeeded left exactly one entry in the activity log. */
import { UNLOGGED_WRITES } from '@kassa/contract/audit/events.ts'
import { CONTRACT } from '@kassa/contract/contract.ts'
import type { Routes } from '@kassa/contract/kit/route.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'

import type { Context } from '../context.ts'
import { serverPath } from '../http/mount.ts'

/** The names of writes by the id of their request. */
export type NotedWrites = Map<string, string>

/** Notes each write of the contract that is answered with success and is no repeat of an earlier one. */
export function noteWrites(http: FastifyInstance): NotedWrites {
  const names = new Map<string, string>(
    Object.values<Routes>(CONTRACT).flatMap((routes) =>
      Object.entries(routes).flatMap(([name, { paths, methods }]) =>
        paths.flatMap((path) => methods.map((method) => [`${method} ${serverPath(path)}`, name] as const)),
      ),
    ),
  )
  const writes: NotedWrites = new Map()
  http.addHook('onResponse', (request, reply, done) => {
    const name = names.get(`${request.method} ${request.routeOptions.url ?? ''}`)
    const isNew = reply.statusCode < 400 && reply.getHeader('idempotency-replayed') === undefined
    if (name !== undefined && isNew && request.method !== 'GET' && !UNLOGGED_WRITES.has(name)) {
      writes.set(request.id, name)
    }
    done()
  })
  return writes
}

/** Returns the names of writes that left no entry, or several. */
export async function findUnaudited(ctx: Context, writes: NotedWrites): Promise<string[]> {
  if (writes.size === 0) return []
  const { rows } = await sql<{ event: string; request: string; entries: bigint }>`
    SELECT request_id AS request, event, count(*) AS entries FROM audit_entries
    WHERE status = 'SUCCESS' AND action <> 'SYSTEM' GROUP BY request_id, event`.execute(ctx.db)
  const found = new Map(rows.map(({ request, event, entries }) => [`${request} ${event}`, Number(entries)]))
  return [...writes].flatMap(([request, name]) => {
    const entries = found.get(`${request} ${name}`) ?? 0
    return entries === 1 ? [] : [`${name} (${entries})`]
  })
}
