import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { meQuery } from '../../api/me.ts'
import { endSession, storeUser } from '../../api/session.ts'
import { useDensity } from '../../lib/display/density.ts'
import { chooseDisplay } from '../../lib/display/display.ts'
import { chooseTheme, useTheme } from '../../lib/display/theme.ts'
import { operatorZone } from '../../lib/time/time-zone.ts'
import { displayOfAccount } from '../../testing/account-display.ts'
import { type Answers, refusal, stubServer } from '../../testing/stub-server.ts'
import { Toaster } from '../../ui/feedback/Toaster.tsx'
import { createQueryClient } from '../query-client.ts'
import '../../testing/patient.ts'
import { DisplayWatch } from './DisplayWatch.tsx'

const signIn = () => storeUser({ key: 'ks_test', role: { name: 'root' }, rootExists: true })

beforeEach(signIn)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
  delete document.documentElement.dataset.theme
})

function Page() {
  useQuery(meQuery)
  return <p role="note">{`${useTheme()} ${useDensity()}`}</p>
}

/** A window of the operator; returns the way to hear of a change elsewhere, and its calls. */
function open(answers: Answers) {
  const calls = stubServer(answers)
  const queryClient = createQueryClient()
  render(
    <QueryClientProvider client={queryClient}>
      <Page />
      <Toaster />
      <DisplayWatch />
    </QueryClientProvider>,
  )
  return { calls, hear: () => queryClient.invalidateQueries(meQuery) }
}

const shown = () => screen.getByRole('note').textContent
const page = () => document.documentElement.dataset.theme

describe('DisplayWatch', () => {
  it('shows what the account has on a device that had something else, which stays what that device has', async () => {
    localStorage.setItem('theme', 'light')
    open(displayOfAccount({ theme: 'dark', density: 'compact', timeZone: 'Asia/Tokyo' }).answers)
    await waitFor(() => expect([shown(), page()]).toEqual(['dark compact', 'dark']))
    expect([operatorZone(), localStorage.getItem('theme')]).toEqual(['Asia/Tokyo', 'light'])
    endSession('signed-out')
    await waitFor(() => expect([shown(), page()]).toEqual(['light comfortable', 'light']))
    expect(operatorZone()).toBe('UTC')
  })

  it('leaves to the device what the account has nothing of', async () => {
    localStorage.setItem('theme', 'dark')
    const { hear } = open(displayOfAccount().answers)
    await hear()
    expect([shown(), page()]).toEqual(['dark comfortable', 'dark'])
  })

  it('shows a choice at once, and takes it back with the reason when the server refuses it', async () => {
    const account = displayOfAccount({ theme: 'light' })
    let isAway = true
    const away = () => refusal(503, 'SERVICE_UNAVAILABLE', 'Try again in a moment.')
    const keep = account.answers['PATCH /member/me']
    open({ ...account.answers, 'PATCH /member/me': (call) => (isAway ? away() : keep(call)) })
    await waitFor(() => expect(page()).toBe('light'))
    chooseTheme('dark')
    expect(page()).toBe('dark')
    expect(await screen.findByText(/display settings couldn’t be saved. Try again in a moment/)).toBeDefined()
    await waitFor(() => expect([shown(), page()]).toEqual(['light comfortable', 'light']))
    isAway = false
    chooseTheme('system')
    await waitFor(() => expect(account.display()).toMatchObject({ theme: 'system' }))
    expect(page()).toBeUndefined()
  })

  it('ends with the last of several choices, whichever answer takes longest', async () => {
    const account = displayOfAccount({ theme: 'light' })
    const keep = account.answers['PATCH /member/me']
    const waits = [30, 15]
    const slow = async (call: Parameters<typeof keep>[0]) => {
      await new Promise((resolve) => setTimeout(resolve, waits.shift() ?? 0))
      return keep(call)
    }
    const { calls, hear } = open({ ...account.answers, 'PATCH /member/me': slow })
    await waitFor(() => expect(page()).toBe('light'))
    chooseTheme('dark')
    chooseDisplay({ density: 'compact' })
    const heard = hear()
    chooseTheme('system')
    await waitFor(() => expect(calls.filter(({ method }) => method === 'PATCH')).toHaveLength(3))
    await heard
    expect([shown(), page()]).toEqual(['system compact', undefined])
    await waitFor(() => expect(account.display()).toMatchObject({ theme: 'system', density: 'compact' }))
  })

  it('does not go back to what was asked for before a choice and arrives after it', async () => {
    const account = displayOfAccount({ theme: 'light' })
    const [late, saving] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let reads = 0
    const { hear } = open({
      'GET /member/me': async () => {
        const answer = account.answers['GET /member/me']()
        if ((reads += 1) === 2) await late.promise
        return answer
      },
      'PATCH /member/me': async (call) => {
        await saving.promise
        return account.answers['PATCH /member/me'](call)
      },
    })
    await waitFor(() => expect(page()).toBe('light'))
    const heard = hear()
    chooseTheme('dark')
    late.resolve()
    await heard
    expect(page()).toBe('dark')
    saving.resolve()
    await waitFor(() => expect(reads).toBe(3))
    expect(page()).toBe('dark')
  })

  it('follows another window of the operator', async () => {
    const account = displayOfAccount()
    const { hear } = open(account.answers)
    await hear()
    account.change({ theme: 'dark' })
    await hear()
    await waitFor(() => expect([shown(), page()]).toEqual(['dark comfortable', 'dark']))
  })

  it('sends nothing of one operator once somebody else is signed in, and shows nothing of it', async () => {
    const account = displayOfAccount({ theme: 'light' })
    const first = Promise.withResolvers<void>()
    const { calls, hear } = open({
      ...account.answers,
      'PATCH /member/me': async (call) => {
        await first.promise
        return account.answers['PATCH /member/me'](call)
      },
    })
    await waitFor(() => expect(page()).toBe('light'))
    const changes = () => calls.filter(({ method }) => method === 'PATCH')
    chooseDisplay({ density: 'compact' })
    chooseTheme('dark')
    await waitFor(() => expect(changes()).toHaveLength(1))
    endSession('signed-out')
    storeUser({ key: 'ks_other', role: { name: 'root' }, rootExists: true })
    first.resolve()
    await waitFor(async () => {
      await hear()
      expect([shown(), page()]).toEqual(['light compact', 'light'])
    })
    expect(changes()).toHaveLength(1)
  })

  it('keeps a choice on the device where nobody is signed in', () => {
    localStorage.removeItem('user')
    localStorage.setItem('account:theme', 'light')
    const { calls } = open({})
    chooseTheme('dark')
    expect([page(), localStorage.getItem('theme')]).toEqual(['dark', 'dark'])
    expect(calls.filter(({ method }) => method === 'PATCH')).toEqual([])
  })
})

describe('theme.js', () => {
  it('puts the theme of the account on the page before anything is drawn, else that of the device', async () => {
    const start = async () => {
      delete document.documentElement.dataset.theme
      await import(/* @vite-ignore */ `../../../public/theme.js?${Math.random()}`)
      return page()
    }
    localStorage.setItem('theme', 'light')
    expect(await start()).toBe('light')
    localStorage.setItem('account:theme', 'dark')
    expect(await start()).toBe('dark')
    localStorage.setItem('account:theme', 'system')
    expect(await start()).toBeUndefined()
  })
})
