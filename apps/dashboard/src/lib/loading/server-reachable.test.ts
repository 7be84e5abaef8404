import { afterEach, expect, it, vi } from 'vitest'

import { loadCode, noteConnection, reloadIfReachable } from './server-reachable.ts'

type Load = () => Promise<{ readonly part: string }>

const come: Load = async () => ({ part: 'the palette' })
const fail: Load = async () => {
  throw new TypeError('Failed to fetch dynamically imported module')
}

const served = async () => new Response('')
const answers = [
  ['no answer', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['a proxy’s answer', async () => new Response('Bad gateway', { status: 502 })],
] as const

afterEach(() => {
  noteConnection(true)
  vi.unstubAllGlobals()
})

it('loads code without a prior request where the server is known to answer', async () => {
  const ask = vi.fn<typeof fetch>(served)
  vi.stubGlobal('fetch', ask)
  expect(await loadCode(come)).toEqual({ part: 'the palette' })
  expect(ask).not.toHaveBeenCalled()
})

it('says that code is missing where the server answers and it does not come', async () => {
  vi.stubGlobal('fetch', served)
  expect(await loadCode(fail)).toBe('missing')
})

it.each(answers)('takes %s for no answer, and tries again', async (_name, answer) => {
  vi.stubGlobal('fetch', answer)
  expect(await loadCode(fail)).toBe('unanswered')
  // Now that it is known, nothing is asked for in vain.
  const load = vi.fn<Load>(come)
  expect(await loadCode(load)).toBe('unanswered')
  expect(load).not.toHaveBeenCalled()
  vi.stubGlobal('fetch', served)
  expect(await loadCode(load)).toEqual({ part: 'the palette' })
})

it.each(answers)('leaves the page alone at %s', async (_name, answer) => {
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue()
  vi.stubGlobal('fetch', answer)
  expect(await reloadIfReachable()).toBe(false)
  expect(reload).not.toHaveBeenCalled()
  vi.stubGlobal('fetch', served)
  expect(await reloadIfReachable()).toBe(true)
  expect(reload).toHaveBeenCalledOnce()
})
