import pg from 'pg'

import { KEEP_ALIVE } from './keep-alive.ts'

/** The right to do something alone, valid as long as its database connection lives. */
export type Lease = {
  /** Aborts when the connection is lost, and with it the lock. */
  readonly lost: AbortSignal
  readonly release: () => Promise<void>
}

/** What a lease covers: the first key of the advisory lock names the work, the second the row. `name` is the connection's. */
export type Held = { readonly space: number; readonly id: number; readonly name: string }

/**
 * PostgreSQL probes an idle holder after ten seconds and ends its session, and with it the lock, fifteen seconds later: otherwise
 * the lock of a machine that lost its power would stay for two hours, and nobody could take its work over. A unix socket needs
 * no probes, and takes these settings without effect.
 */
const PROBE_HOLDER = 'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3'

/** Takes the session lock of a row, or returns null while another process has it. */
export async function takeLease(connectionString: string, { space, id, name }: Held): Promise<Lease | null> {
  const client = new pg.Client({ connectionString, application_name: name, ...KEEP_ALIVE })
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  const release = () => client.end()
  await client.connect()
  try {
    await client.query(PROBE_HOLDER)
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS locked', [
      space,
      id,
    ])
    if (rows[0]?.locked) return { lost: lost.signal, release }
    await release()
    return null
  } catch (error) {
    await release()
    throw error
  }
}
