import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'
import { CONNECTION_LIMITS, type ConnectionLimits } from './connections.ts'
import { createServer } from '../server.ts'

let app: TestApp

beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

/** A server of its own with short limits. */
async function listen(limits: Partial<ConnectionLimits>, trustedProxies: readonly string[] = []) {
  const ctx = { ...app.ctx, config: { ...app.ctx.config, trustedProxies } }
  const http: FastifyInstance = await createServer(ctx, {
    origins: async () => [],
    limits: { ...CONNECTION_LIMITS, checkMs: 50, ...limits },
  })
  http.post('/body', async (request) => ({ body: request.body }))
  http.get('/slow', async () => {
    await sleep(600)
    return { done: true }
  })
  await http.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(async () => {
    http.server.closeAllConnections()
    await http.close()
  })
  return (http.server.address() as AddressInfo).port
}

async function open(port: number, text = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined).resume()
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  if (text !== '') socket.write(text)
  return socket
}

const isEnded = (socket: Socket, ms: number) => Promise.race([once(socket, 'close').then(() => true), sleep(ms, false)])

describe('connections', () => {
  it('end when the head of a request does not come, or a part of it only', async () => {
    const port = await listen({ headersMs: 300, requestMs: 600 })
    const sockets = [await open(port), await open(port, 'GET /slow HTTP/1.1\r\nhost: localho')]
    expect(await Promise.all(sockets.map((socket) => isEnded(socket, 3_000)))).toEqual([true, true])
  })

  it('end when the body of a request does not come', async () => {
    const port = await listen({ headersMs: 200, requestMs: 400 })
    const head =
      'POST /body HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n'
    expect(await isEnded(await open(port, `${head}{"a`), 3_000)).toBe(true)
  })

  it('end when nothing moves on them, and not while a request is answered', async () => {
    const port = await listen({ idleMs: 1_000, keepAliveMs: 300 })
    const socket = await open(port, 'GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n')
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(String(answer)).toContain('200 OK')
    expect(await isEnded(socket, 4_000)).toBe(true)
    const stalled = await listen({ idleMs: 200 })
    expect(await isEnded(await open(stalled, 'GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n'), 500)).toBe(true)
  })

  it('are as many as one network may have, and no more', async () => {
    const port = await listen({ perNetwork: 3 })
    const sockets = await Promise.all([1, 2, 3].map(() => open(port)))
    expect(await isEnded(await open(port), 2_000)).toBe(true)
    expect(await Promise.all(sockets.map((socket) => isEnded(socket, 50)))).toEqual([false, false, false])
    sockets[0]?.destroy()
    await sleep(100)
    expect(await isEnded(await open(port), 100)).toBe(false)
  })

  it('of a trusted proxy are held to the total only', async () => {
    const port = await listen({ perNetwork: 1, inAll: 4 }, ['127.0.0.1'])
    const sockets = await Promise.all([1, 2, 3, 4].map(() => open(port)))
    expect(await Promise.all(sockets.map((socket) => isEnded(socket, 100)))).toEqual([false, false, false, false])
    expect(await isEnded(await open(port), 2_000)).toBe(true)
  })
})

describe('requests', () => {
  it('with a part of the path beyond 300 characters find nothing, and leave no line', async () => {
    const lines = app.logLines.length
    for (const url of [
      `/api/v1/external-platform/${'1'.repeat(400)}/payment/search`,
      `/api/v1/external-platform/${'%31'.repeat(3000)}/payment/search`,
    ]) {
      for (const method of ['GET', 'POST'] as const) {
        const answer = await app.http.inject({ method, url, headers: { host: 'localhost' } })
        expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([
          404,
          'ROUTE_NOT_FOUND',
        ])
      }
    }
    expect(app.logLines.slice(lines)).toEqual([])
  })

  it.each([
    ['JSON', 'application/json', '{"email":"a'],
    ['a form', 'multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb'],
  ])('that are given up in the middle of %s are no faults', async (_name, type, start) => {
    await app.http.listen({ port: 0, host: '127.0.0.1' }).catch(() => undefined)
    const { port } = app.http.server.address() as AddressInfo
    const lines = app.logLines.length
    for (let n = 0; n < 5; n += 1) {
      const head = `POST /api/v1/signin HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\ncontent-length: 1000\r\n\r\n`
      const socket = await open(port, head + start)
      await sleep(30)
      socket.destroy()
    }
    await sleep(300)
    expect(app.logLines.slice(lines)).toEqual([])
  })

  it('are answered over https alone once the site is', async () => {
    const header = async (siteUrl: string) => {
      const http = await createServer(
        { ...app.ctx, config: { ...app.ctx.config, siteUrl } },
        { origins: async () => [] },
      )
      onTestFinished(() => http.close())
      return (await http.inject({ url: '/' })).headers['strict-transport-security']
    }
    expect(await header('https://pay.shop.example')).toBe('max-age=31536000')
    expect(await header('http://localhost:8080')).toBeUndefined()
  })
})
