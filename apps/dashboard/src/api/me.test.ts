import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { me } from '../testing/answers.ts'
import { stubServer } from '../testing/stub-server.ts'
import { meQuery, refreshOutdatedMe } from './me.ts'
import { storeUser } from './session.ts'

afterEach(() => void vi.unstubAllGlobals())

/** A page that shows what the operator may do, and a server that knows it by a version. */
function open(versions: string[]) {
  storeUser({ key: 'ks_test', role: { name: 'root' }, rootExists: true })
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const calls = stubServer({ 'GET /member/me': () => ({ ...me(), permissionsVersion: versions.shift() ?? 'last' }) })
  const page = new QueryObserver(queryClient, meQuery)
  const close = page.subscribe(() => undefined)
  return { queryClient, calls, close, shown: () => page.getCurrentResult().data?.permissionsVersion }
}

describe('refreshOutdatedMe', () => {
  it('reads again what was read before the permissions changed, also while it is still being read', async () => {
    const { queryClient, calls, shown, close } = open(['first', 'second'])
    await refreshOutdatedMe(queryClient, 'second')
    expect([shown(), calls.length]).toEqual(['second', 2])
    close()
  })

  it('reads once where nothing has changed', async () => {
    const { queryClient, calls, shown, close } = open(['first'])
    await vi.waitFor(() => expect(shown()).toBe('first'))
    await refreshOutdatedMe(queryClient, 'first')
    expect(calls).toHaveLength(1)
    close()
  })

  it('does not ask without end for what the server itself has changed again', async () => {
    const { queryClient, calls, shown, close } = open(['first', 'third'])
    await refreshOutdatedMe(queryClient, 'second')
    expect([shown(), calls.length]).toEqual(['third', 2])
    close()
  })
})
