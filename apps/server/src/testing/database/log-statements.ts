import type { DatabasePool } from '../../db/database.ts'

/**
 * Records the text of every statement, transaction control included, that connections run which the pool opens from now
 * on; the list grows while they do.
 */
export function logStatements(pool: DatabasePool['pool']): string[] {
  const texts: string[] = []
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...parts: unknown[]) => unknown
    const logged = (...parts: unknown[]) => {
      const [first] = parts
      texts.push(typeof first === 'string' ? first : (first as { text: string }).text)
      return query(...parts)
    }
    client.query = logged as typeof client.query
  })
  return texts
}
