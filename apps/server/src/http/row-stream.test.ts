import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

import type { ApiError } from '@kassa/contract/kit/api-error.ts'
import { route } from '@kassa/contract/kit/route.ts'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'

import type { Caller, Context } from '../context.ts'
import { sendRows } from './row-stream.ts'

const numbers = route({
  id: 'X0',
  methods: ['GET'],
  paths: ['/numbers'],
  summary: 'Numbers as a file.',
  access: { public: true },
  rate: 'heavy',
  response: z.object({ n: z.int() }),
  stream: 'rows',
  errors: [],
})

let http: FastifyInstance
afterEach(() => http.close())

const keyOf = (keyId: number): Caller => ({ kind: 'key', keyId, projectId: 1, knownTo: 1, scopes: new Set() })

/** Asks for numbers of a source that waits for `ready` before the first; `left` resolves once it was closed. */
async function ask(ready: Promise<unknown> = Promise.resolve()) {
  http = Fastify()
  const asked = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  async function* source() {
    try {
      asked.resolve()
      await ready
      for (let n = 0; ; n += 1) yield { n }
    } finally {
      left.resolve()
    }
  }
  const ctx = { now: () => new Date(), memory: new Map(), caller: keyOf(1) } as Partial<Context> as Context
  http.get('/', async (_request, reply) => {
    await sendRows(ctx, numbers, source(), {}, reply)
    return reply
  })
  const url = await http.listen({ port: 0, host: '127.0.0.1' })
  const connection = once(http.server, 'connection')
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  const [accepted] = (await connection) as [Socket]
  return { socket, accepted, asked: asked.promise, left: left.promise }
}

describe('http.sendRows', () => {
  it('gives its source back when the reader leaves in the middle', async () => {
    const { socket, left } = await ask()
    await once(socket, 'data')
    socket.destroy()
    await expect(left).resolves.toBeUndefined()
  })

  it('gives its source back when the reader left before the first row', async () => {
    const gone = Promise.withResolvers<void>()
    const { socket, accepted, asked, left } = await ask(gone.promise)
    await asked
    const closed = once(accepted, 'close')
    socket.destroy()
    await closed
    gone.resolve()
    await expect(left).resolves.toBeUndefined()
  })

  it('sends a few files at a time, and fewer to one caller, until they are read', async () => {
    http = Fastify({ forceCloseConnections: true })
    const long = { ...numbers, response: z.object({ n: z.string() }) }
    async function* source() {
      for (;;) yield { n: 'x'.repeat(1_000_000) }
    }
    const ctx = { now: () => new Date(), memory: new Map() } as Partial<Context> as Context
    http.setErrorHandler(async (thrown: ApiError, _request, reply) => reply.code(thrown.status).send(thrown.code))
    http.get<{ Params: { key: string } }>('/:key', async ({ params }, reply) => {
      await sendRows({ ...ctx, caller: keyOf(Number(params.key)) }, long, source(), {}, reply)
      return reply
    })
    const url = await http.listen({ port: 0, host: '127.0.0.1' })
    const open: AbortController[] = []
    // An answer that nothing refers to is collected, and its connection closed.
    const answers: Response[] = []
    const ask = async (key: number) => {
      const leaving = new AbortController()
      open.push(leaving)
      // The body is not read: its source waits.
      const answer = await fetch(`${url}/${key}`, { signal: leaving.signal })
      answers.push(answer)
      return answer.status
    }
    expect([await ask(1), await ask(1), await ask(1), await ask(1)]).toEqual([200, 200, 200, 429])
    expect([await ask(2), await ask(2), await ask(3), await ask(4)]).toEqual([200, 200, 200, 429])
    open[0]?.abort()
    await expect.poll(() => ask(4), { timeout: 10_000 }).toBe(200)
    for (const leaving of open) leaving.abort()
    await expect.poll(() => ask(1), { timeout: 10_000 }).toBe(200)
    for (const leaving of open) leaving.abort()
  })
})
