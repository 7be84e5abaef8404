import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'

import { noteConnection } from '../lib/loading/server-reachable.ts'
import { apiKeysQuery, depositWalletsQuery, webhooksQuery } from './lazy-lists.ts'

const code = vi.hoisted(() => vi.fn<() => never>())

vi.mock('./api-keys.ts', () => code())
vi.mock('./wallets.ts', () => code())
vi.mock('./webhooks.ts', () => code())

code.mockImplementation(() => {
  throw new TypeError('Failed to fetch dynamically imported module')
})

afterEach(() => {
  code.mockClear()
  noteConnection(true)
  vi.unstubAllGlobals()
})

const lists = [
  ['API keys', () => new QueryClient().query(apiKeysQuery('7'))],
  ['deposit wallets', () => new QueryClient().query(depositWalletsQuery)],
  ['webhook endpoints', () => new QueryClient().query(webhooksQuery('7'))],
] as const

/** The server itself, or a proxy in its place. */
function answer(status: 200 | 502): void {
  vi.stubGlobal('fetch', async () => new Response(null, { status }))
}

it.each(lists)('%s whose code a deployment took away are said to come with a new page', async (_name, read) => {
  answer(200)
  await expect(read()).rejects.toMatchObject({
    code: 'ANSWER_UNREADABLE',
    message: 'A part of this page could not be loaded. Reload the page.',
  })
})

it.each(lists)('%s whose code cannot be loaded fail like any request', async (_name, read) => {
  answer(502)
  await expect(read()).rejects.toMatchObject({ code: 'NETWORK_FAILED' })
})

it.each(lists)(
  '%s are not requested while the server does not answer: a browser would remember the failure',
  async (_name, read) => {
    answer(502)
    noteConnection(false)
    await expect(read()).rejects.toMatchObject({ code: 'NETWORK_FAILED' })
    expect(code).not.toHaveBeenCalled()
  },
)
