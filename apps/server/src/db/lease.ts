import pg from 'pg'

/** The right to do something alone, valid as long as its database connection lives. */
export type Lease = {
  /** Aborts when the connection is lost, and with it the lock. */
  readonly lost: AbortSignal
  readonly release: () => Promise<void>
}

/** What a lease covers: the first key of the advisory lock names the work, the second the row. `name` is the connection's. */
export type Held = { readonly space: number; readonly id: number; readonly name: string }

/** Takes the session lock of a row, or returns null while another process has it. */
export async function takeLease(connectionString: string, { space, id, name }: Held): Promise<Lease | null> {
  const client = new pg.Client({ connectionString, application_name: name, keepAlive: true })
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  const release = () => client.end()
  await client.connect()
  try {
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
