import pg from 'pg'

/** First key of the advisory lock: the letters "KW" (Kassa watcher); the second is the blockchain's id. */
const LOCK_SPACE = 0x4b57

/** The right to read a blockchain, valid as long as its own database connection lives. */
export type Lease = {
  /** Aborts when the connection is lost, and with it the lock. */
  readonly lost: AbortSignal
  readonly release: () => Promise<void>
}

/**
 * Takes the session lock of a blockchain, or returns null while another process has it. It only avoids double work: the
 * epoch in the cursor is what stops two leaders from both committing.
 */
export async function takeLease(connectionString: string, blockchainId: number): Promise<Lease | null> {
  const client = new pg.Client({ connectionString, application_name: 'kassa-watch', keepAlive: true })
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  const release = () => client.end()
  await client.connect()
  try {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS locked', [
      LOCK_SPACE,
      blockchainId,
    ])
    if (rows[0]?.locked) return { lost: lost.signal, release }
    await release()
    return null
  } catch (error) {
    await release()
    throw error
  }
}
