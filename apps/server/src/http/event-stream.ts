import type { Route } from '@kassa/contract/kit/route.ts'
import type { FastifyReply } from 'fastify'
import * as z from 'zod/mini'

import type { Context } from '../context.ts'
import { remembered } from '../memory.ts'
import { isAsyncIterable } from './handlers.ts'

/** A comment this often keeps proxies from closing a quiet stream (api.md Y7). */
const PING_MS = 15_000

/** A reader that does not read is skipped: its data would wait in memory, and each change contains the whole state. */
const MOST_UNREAD_BYTES = 64 * 1024

/** Functions that end the open streams of this process. */
const openStreams = remembered(() => new Set<() => void>())

/** Ends every open stream: a drain does not wait for readers, who reconnect to another process. */
export function endStreams(ctx: Context): void {
  for (const leave of openStreams(ctx)) leave()
}

/** Sends each value as a server-sent event until the source ends or the reader leaves. */
export async function sendEvents(ctx: Context, route: Route, source: unknown, reply: FastifyReply): Promise<void> {
  if (!isAsyncIterable(source)) throw new Error(`${route.id} is a stream, but its handler gave none`)
  reply.hijack()
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  const iterator = source[Symbol.asyncIterator]()
  if (reply.request.method === 'HEAD') {
    await iterator.return?.()
    return void reply.raw.end()
  }
  const write = (text: string) => {
    reply.raw.write(text)
    if (reply.raw.writableLength > MOST_UNREAD_BYTES) reply.raw.destroy()
  }
  const ping = setInterval(() => write(': ping\n\n'), PING_MS)
  const open = openStreams(ctx)
  const leave = () => void iterator.return?.()
  reply.raw.once('close', leave)
  open.add(leave)
  // A reader who left while the handler was still reading gets no stream.
  if (reply.raw.destroyed) leave()
  try {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      write(`event: payment\ndata: ${JSON.stringify(z.encode(route.response, next.value))}\n\n`)
    }
  } catch (thrown) {
    ctx.log.warn({ route: route.id, err: thrown }, 'event stream ended early')
  } finally {
    clearInterval(ping)
    open.delete(leave)
    await iterator.return?.()
    reply.raw.end()
  }
}
