import { brotliDecompressSync, gunzipSync } from 'node:zlib'

import { fastify } from 'fastify'
import { describe, expect, it } from 'vitest'

import { compressPages } from './compress.ts'

const PAGE = '<p>Ünique words, said often. </p>'.repeat(200)

async function answer(acceptEncoding: string | undefined, path = '/page') {
  const app = fastify()
  await app.register(async (routes) => {
    compressPages(routes)
    routes.get('/page', (_request, reply) => reply.type('text/html').send(PAGE))
    routes.get('/short', (_request, reply) => reply.type('text/html').send('<p>Short</p>'))
    routes.get('/bytes', (_request, reply) => reply.send(Buffer.from(PAGE)))
  })
  app.get('/elsewhere', (_request, reply) => reply.type('text/html').send(PAGE))
  const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }
  const { headers: sent, rawPayload } = await app.inject({ url: path, headers })
  await app.close()
  return { encoding: sent['content-encoding'], vary: sent['vary'], length: Number(sent['content-length']), rawPayload }
}

describe('compressed pages', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, GZIP;q=0.5', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('for "%s" are sent as %s', async (accepted, expected) => {
    const { encoding, vary, length, rawPayload } = await answer(accepted)
    expect([encoding, vary, length]).toEqual([expected, 'accept-encoding', rawPayload.length])
    const read = { br: brotliDecompressSync, gzip: gunzipSync }[String(encoding)] ?? ((bytes: Buffer) => bytes)
    expect(read(rawPayload).toString()).toBe(PAGE)
    expect(rawPayload.length < 1_000).toBe(expected !== undefined)
  })

  it.each(['/short', '/bytes', '/elsewhere'])('are not what %s answers', async (path) => {
    expect((await answer('br', path)).encoding).toBeUndefined()
  })
})
