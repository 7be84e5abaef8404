/** Notices database servers that vanish without closing their connections, as a machine without power or network does. */
import type { Socket } from 'node:net'

import pg from 'pg'

/**
 * For connections that may wait long without a word: the first probe goes out after ten seconds, so that an end that vanished
 * is noticed within seconds. The usual delay is two hours.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const

/** A connection in use that is silent for so long is looked after, again and again. */
const SILENT_MS = 20_000
/** A server that answers at all answers within this time. */
const ANSWER_MS = 10_000

type Watched = {
  readonly connectionString: string
  /** No pooler is in between, so the server knows each connection by its process. */
  readonly isDirect: boolean
  readonly silentMs?: number
}

/**
 * Ends connections whose server has vanished while a statement waits. The system sends no probe while a statement is not
 * acknowledged, and repeats it for a quarter of an hour. Whether a silent connection is dead, a new one says: twice in a row no
 * server answers, or the one that does (another machine may have taken over) has no such connection.
 */
export function endVanished(pool: pg.Pool, { connectionString, isDirect, silentMs = SILENT_MS }: Watched): void {
  const used = new Set<pg.PoolClient>()
  pool.on('acquire', (client) => used.add(client))
  pool.on('release', (_error, client) => used.delete(client))
  pool.on('remove', (client) => used.delete(client))
  let asking: Promise<Answer> | null = null
  const ask = () => (asking ??= askServer(connectionString).finally(() => (asking = null)))
  pool.on('connect', (client) => {
    const { connection, processID } = client as unknown as Internals
    const { stream } = connection
    // A socket of this machine has no end that could vanish.
    if (stream.remoteAddress === undefined) return
    const openedAt = performance.now()
    let unreachable = 0
    const look = async () => {
      const read = stream.bytesRead
      const answer = used.has(client) ? await ask() : 'unknown'
      unreachable = answer === 'unreachable' && stream.bytesRead === read ? unreachable + 1 : 0
      const isUnknown = isDirect && answer instanceof Map && !isAmong(answer, processID, performance.now() - openedAt)
      if ((unreachable > 1 || isUnknown) && stream.bytesRead === read)
        stream.destroy(new Error('The database server no longer answers'))
      else stream.setTimeout(silentMs)
    }
    stream.setTimeout(silentMs)
    stream.on('timeout', () => void look())
  })
}

/** What pg knows of a connection and its types leave out. */
type Internals = { readonly connection: { readonly stream: Socket }; readonly processID: number }

/** How long ago each connection was opened on the server, in milliseconds, by its process. */
type Answer = ReadonlyMap<number, number> | 'unreachable' | 'unknown'

/** The numbers of processes are given again: the server that took over may have one of another connection. */
const SAME_AGE_MS = 60_000

function isAmong(answer: ReadonlyMap<number, number>, processID: number, ageMs: number): boolean {
  const age = answer.get(processID)
  return age !== undefined && Math.abs(age - ageMs) < SAME_AGE_MS
}

/** The errors of the system that say that nobody is there, not that something is wrong here. */
const NOBODY_THERE = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'])

async function askServer(connectionString: string): Promise<Answer> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS })
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : null
    const isTimeout = error instanceof Error && code === null && error.message.includes('timeout')
    return isTimeout || (code !== null && NOBODY_THERE.has(code)) ? 'unreachable' : 'unknown'
  }
  try {
    const { rows } = await client.query<{ pid: number; ms: number }>(`
      SELECT pid, extract(epoch FROM clock_timestamp() - backend_start)::float8 * 1000 AS ms
      FROM pg_stat_activity WHERE backend_start IS NOT NULL`)
    const answer = new Map(rows.map(({ pid, ms }) => [pid, ms]))
    // A pooler or proxy in between invents the numbers of its connections.
    return answer.has((client as unknown as Internals).processID) ? answer : 'unknown'
  } catch {
    return 'unknown'
  } finally {
    void client.end().catch(() => undefined)
  }
}
