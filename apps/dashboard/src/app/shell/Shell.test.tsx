import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { storeUser } from '../../api/session.ts'
import { parseSearch, stringifySearch } from '../../lib/navigation/search.ts'
import { me, sandboxConfiguration } from '../../testing/answers.ts'
import { type Answers, refusal, stubServer } from '../../testing/stub-server.ts'
import { createQueryClient } from '../query-client.ts'
import { Shell } from './Shell.tsx'
import '../../testing/patient.ts'

// What is loaded beside the first call is there at once.
beforeAll(() => import('../../api/answers.ts'))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

/** The path that is on screen. */
let shownAt: () => string = () => ''

/** What the specification promises of the two calls, and nothing else. */
function open(address: string, answers: Answers = {}) {
  const calls = stubServer({
    'GET /member/me': () => me(),
    'GET /configuration/default': () => sandboxConfiguration,
    'GET /external-platform/all': () => [
      { id: 7, name: 'Acme', logoPath: 'https://pay.example/uploads/acme.png' },
      { id: 8, name: 'Nordlicht', logoPath: '' },
      { id: 9, name: 'Beta', logoPath: null },
      { id: 10, name: 'Bare', logoPath: '' },
    ],
    'GET /external-platform/details': () => [
      { id: 8, networkCount: 2, currencyCount: 5 },
      { id: 7, networkCount: 3, currencyCount: 1 },
      { id: 10, networkCount: 2, currencyCount: 5, hasDepositWallet: false },
    ],
    ...answers,
  })
  storeUser({ key: 'ks_test', role: { name: 'root' }, rootExists: true })
  const rootRoute = createRootRoute({ component: Shell })
  const page = createRoute({
    getParentRoute: () => rootRoute,
    path: '$',
    component: () => null,
    staticData: { permission: address.endsWith('/dashboard') ? 'analytics:read' : undefined },
  })
  const history = createMemoryHistory({ initialEntries: [address] })
  shownAt = () => history.location.pathname
  const router = createRouter({ routeTree: rootRoute.addChildren([page]), history, parseSearch, stringifySearch })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return calls
}

describe('Shell', () => {
  it('shows projects of which only the promised fields came', async () => {
    open('/project/7/dashboard')
    const selector = await screen.findByRole('button', { name: 'Project: Acme' })
    expect(selector.querySelector('img')?.src).toBe('https://pay.example/uploads/acme.png')
    const names = (await screen.findAllByRole('option', { hidden: true })).map(({ textContent }) => textContent)
    expect(names).toEqual([
      'All Projects',
      expect.stringMatching(/^Acme3 networks.*1 asset$/),
      expect.stringMatching(/^Nordlicht2 networks.*5 assets$/),
      expect.stringMatching(/^Beta0 networks.*0 assets$/),
      'BareNot ready: no deposit wallet',
    ])
  })

  it('reads the static data of blockchains when a project page loads', async () => {
    const calls = open('/project/7/dashboard')
    await screen.findByRole('button', { name: 'Project: Acme' })
    expect(calls.filter(({ path }) => path === '/blockchain/static')).toHaveLength(1)
  })

  it.each(['/project/7/dashboard', '/settings'])(
    'says in the selector of %s that the projects could not be fetched, and tries again',
    async (address) => {
      let isGone = true
      open(address, {
        'GET /external-platform/details': () =>
          isGone ? refusal(503, 'SERVICE_UNAVAILABLE', 'Later.') : [{ id: 7, networkCount: 3, currencyCount: 1 }],
      })
      const selector = await screen.findByRole('button', { name: 'Failed to fetch projects' })
      expect(selector.textContent).toBe('Failed to fetch projects')
      expect(selector.getAttribute('aria-disabled')).toBeNull()
      expect(screen.queryByText(/0 networks|0 assets/)).toBeNull()
      isGone = false
      await userEvent.click(screen.getByRole('button', { name: 'Try again', hidden: true }))
      expect(await screen.findByRole('button', { name: /^Project: (Acme|All Projects)$/ })).toBeDefined()
    },
  )

  it('leads from a dashboard that is not open to the first page of the menu that is', async () => {
    const permissions = { install: [], projects: { 7: ['project:read', 'referral:read'] } }
    open('/project/7/dashboard', { 'GET /member/me': () => ({ ...me(), permissions }) })
    await vi.waitFor(() => expect(shownAt()).toBe('/project/7/growth/analytics'))
    expect(screen.queryByText('This page isn’t open to you.')).toBeNull()
  })
})
