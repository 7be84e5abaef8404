import { Readable } from 'node:stream'

import { fail } from '@kassa/contract/kit/api-error.ts'
import type { ExportFormat } from '@kassa/contract/kit/exports.ts'
import type { Route } from '@kassa/contract/kit/route.ts'
import type { FastifyReply } from 'fastify'
import * as z from 'zod/mini'

import { actorOf, type Context } from '../context.ts'
import { remembered } from '../memory.ts'
import { csvLine } from './csv.ts'
import { isAsyncIterable } from './handlers.ts'

/** Bytes of text gathered before they are handed on: fewer writes, and still little memory. */
const CHUNK = 64 * 1024

/**
 * Files that are sent at a time: each keeps a connection to the database, and what it sees there, for as long as its reader
 * takes. Of the twenty connections of a process the others stay for everybody else.
 */
const MOST_OPEN = { ofCaller: 3, inAll: 6 }

/** A file of the usual size has been sent by then. */
const RETRY_SECONDS = 10

/** How many files this process sends now, by caller. */
const openFiles = remembered(() => new Map<string, number>())

/**
 * Sends a list as a file while it is read, however long it is. An error before the first row is an ordinary answer; a later
 * failure breaks the connection, so that a part is never taken for the whole.
 * @throws RATE_LIMITED while too many files are sent
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
  const columns = columnsOf(route, query, source)
  const rows = source[Symbol.asyncIterator]()
  const release = takePlace(ctx)
  const first = await rows.next().catch((thrown: unknown) => {
    release()
    throw thrown
  })
  const day = ctx.now().toISOString().slice(0, 10)
  void reply.headers({
    'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
    'content-disposition': `attachment; filename="${route.fileName ?? 'export'}-${day}.${format}"`,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  const text = Readable.from(textOf({ route, format, columns }, first, rows))
  // A generator that never began releases nothing when its reader leaves before the first piece.
  text.once('close', () => {
    release()
    rows.return?.().catch((err: unknown) => ctx.log.warn({ err, route: route.id }, 'a list was not closed'))
  })
  await reply.send(text)
}

/** Counts a file that is to be sent; returns what counts it off again. @throws RATE_LIMITED */
function takePlace(ctx: Context): () => void {
  const open = openFiles(ctx)
  const caller = actorOf(ctx.caller)
  const ofCaller = open.get(caller) ?? 0
  const inAll = [...open.values()].reduce((sum, count) => sum + count, 0)
  if (ofCaller >= MOST_OPEN.ofCaller || inAll >= MOST_OPEN.inAll) {
    return fail('RATE_LIMITED', { values: { seconds: RETRY_SECONDS }, retryAfter: RETRY_SECONDS })
  }
  open.set(caller, ofCaller + 1)
  return () => {
    const left = (open.get(caller) ?? 1) - 1
    if (left > 0) open.set(caller, left)
    else open.delete(caller)
  }
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
