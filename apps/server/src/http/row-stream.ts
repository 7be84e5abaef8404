import { Readable } from 'node:stream'

import type { ExportFormat } from '@kassa/contract/kit/exports.ts'
import type { Route } from '@kassa/contract/kit/route.ts'
import type { FastifyReply } from 'fastify'
import * as z from 'zod/mini'

import type { Context } from '../context.ts'
import { csvLine } from './csv.ts'
import { isAsyncIterable } from './handlers.ts'

/** Bytes of text gathered before they are handed on: fewer writes, and still little memory. */
const CHUNK = 64 * 1024

/**
 * Sends a list as a file while it is read, however long it is. An error before the first row is an ordinary answer; a later
 * failure breaks the connection, so that a part is never taken for the whole.
 */
export async function sendRows(
  ctx: Context,
  route: Route,
  source: unknown,
  query: object,
  reply: FastifyReply,
): Promise<void> {
  if (!isAsyncIterable(source)) throw new Error(`${route.id} gives rows, but its handler gave none`)
  const format = 'format' in query && query.format === 'jsonl' ? 'jsonl' : 'csv'
  const rows = source[Symbol.asyncIterator]()
  const first = await rows.next()
  const day = ctx.now().toISOString().slice(0, 10)
  void reply.headers({
    'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
    'content-disposition': `attachment; filename="${route.fileName ?? 'export'}-${day}.${format}"`,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  const text = Readable.from(textOf({ route, format, columns: columnsOf(route, query, source) }, first, rows))
  // A generator that never began releases nothing when its reader leaves before the first piece.
  text.once('close', () => {
    rows.return?.().catch((err: unknown) => ctx.log.warn({ err, route: route.id }, 'a list was not closed'))
  })
  await reply.send(text)
}

type File = { readonly route: Route; readonly format: ExportFormat; readonly columns: readonly string[] }

async function* textOf(
  { route, format, columns }: File,
  first: IteratorResult<unknown>,
  rows: AsyncIterator<unknown>,
): AsyncGenerator<string, void> {
  const lineOf = (row: unknown) => {
    const wire = z.encode(route.response, row) as Readonly<Record<string, unknown>>
    if (format === 'csv') return csvLine(columns.map((column) => wire[column]))
    return `${JSON.stringify(Object.fromEntries(columns.map((column) => [column, wire[column]])))}\n`
  }
  let text = format === 'csv' ? csvLine(columns) : ''
  try {
    for (let next = first; !next.done; next = await rows.next()) {
      text += lineOf(next.value)
      if (text.length < CHUNK) continue
      yield text
      text = ''
    }
    yield text
  } finally {
    await rows.return?.()
  }
}

/** The requested fields of a row, else those that the list names, else all in the order of its shape. */
function columnsOf({ id, response }: Route, query: object, source: object): readonly string[] {
  if ('columns' in source && Array.isArray(source.columns)) return source.columns as string[]
  if ('columns' in query && Array.isArray(query.columns)) return [...new Set<string>(query.columns)]
  if (response instanceof z.ZodMiniObject) return Object.keys(response.shape)
  throw new Error(`A row of ${id} is no object`)
}
