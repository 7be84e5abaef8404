import pg from 'pg'
import { vi } from 'vitest'

/**
 * Records what the programs of this process ask the database from now on, transaction control included, oldest first. What the
 * job queue and the publisher ask on their own is left out.
 */
export function recordStatements(): { readonly take: () => string[] } {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  return {
    take: () => {
      const texts = query.mock.calls.map(([asked]) => textOf(asked)).filter((text) => !/pgboss|pg_notify/.test(text))
      query.mockClear()
      return texts
    },
  }
}

function textOf(asked: unknown): string {
  if (typeof asked === 'string') return asked
  return typeof asked === 'object' && asked !== null && 'text' in asked ? String(asked.text) : ''
}
