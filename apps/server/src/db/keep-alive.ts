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
 * acknowledged, and repeats it for a quarter of an hour. Whether a silent connection is dead, a new one says: no server answers, or
 * the one that does (another machine may have taken over) has no such connection.
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
    const look = async () => {
      const read = stream.bytesRead
      const answer = used.has(client) ? await ask() : 'unknown'
      const isGone = answer === 'unreachable' || (isDirect && answer !== 'unknown' && !answer.has(processID))
      if (isGone && stream.bytesRead === read) stream.destroy(new Error('The database server no longer answers'))
      else stream.setTimeout(silentMs)
    }
    stream.setTimeout(silentMs)
    stream.on('timeout', () => void look())
  })
}

/** What pg knows of a connection and its types leave out. */
type Internals = { readonly connection: { readonly stream: Socket }; readonly processID: number }

/** The processes of our connections on the server. */
type Answer = ReadonlySet<number> | 'unreachable' | 'unknown'

async function askServer(connectionString: string): Promise<Answer> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS })
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    // A server that refuses, because it has no connection left for one, is there.
    return error instanceof pg.DatabaseError ? 'unknown' : 'unreachable'
  }
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pid FROM pg_stat_activity')
    return new Set(rows.map(({ pid }) => pid))
  } catch {
    return 'unknown'
  } finally {
    void client.end().catch(() => undefined)
  }
}
