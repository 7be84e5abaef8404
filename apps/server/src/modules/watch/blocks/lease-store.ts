import pg from 'pg'

/** First key of the advisory lock: the letters "KW" (Kassa watches); the second is the blockchain's id. */
const LOCK_SPACE = 0x4b57

/** The right to read a blockchain, held as long as a database connection of its own lives. */
export type Lease = {
  /** Aborts when the connection is lost, and with it the lock. */
  readonly lost: AbortSignal
  readonly release: () => Promise<void>
}

/**
 * Takes the session lock of a blockchain, or returns null while another process holds it. It only spares double work:
 * what keeps two leaders apart is the epoch in the cursor.
 */
export async function takeLease(connectionString: string, blockchainId: number): Promise<Lease | null> {
  const client = new pg.Client({ connectionString, application_name: 'kassa-watch', keepAlive: true })
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  const release = () => client.end()
  await client.connect()
  try {
    const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS held', [
      LOCK_SPACE,
      blockchainId,
    ])
    if (rows[0]?.held) return { lost: lost.signal, release }
    await release()
    return null
  } catch (error) {
    await release()
    throw error
  }
}
