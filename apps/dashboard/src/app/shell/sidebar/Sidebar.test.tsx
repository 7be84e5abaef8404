import { PERMISSIONS } from '@kassa/contract/permissions.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { meQuery } from '../../../api/me.ts'
import { projectsQuery } from '../../../api/projects.ts'
import { parseSearch, stringifySearch } from '../../../lib/navigation/search.ts'
import { writeStored } from '../../../lib/device/stored.ts'
import { Sidebar } from './Sidebar.tsx'
import '../../../testing/patient.ts'

const AT = new Date('2026-11-20T05:10:44.000Z')

beforeEach(() => {
  localStorage.clear()
  window.innerWidth = 1200
  vi.stubGlobal('fetch', () => Promise.reject(new Error('Nothing is fetched here')))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const project = (id: number, name: string) => ({
  id,
  name,
  logoPath: '',
  brandColor: '#caff54',
  networkCount: 0,
  currencyCount: 0,
  hasDepositWallet: true,
})

type Options = { permissions?: readonly string[]; names?: readonly string[] }

async function show(
  address: string,
  { permissions = Object.keys(PERMISSIONS), names = ['Acme', 'Nordlicht'] }: Options = {},
) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  const me = { email: 'op@shop.example', permissions: { install: permissions, projects: {} }, sessionExpiresAt: AT }
  queryClient.setQueryData(meQuery.queryKey, me as never)
  queryClient.setQueryData(projectsQuery.queryKey, names.map((name, at) => project(7 + at, name)) as never)
  const history = createMemoryHistory({ initialEntries: [address] })
  const routeTree = createRootRoute({ component: Sidebar, notFoundComponent: () => null })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createRouter({ routeTree, history, parseSearch, stringifySearch }) as never} />
    </QueryClientProvider>,
  )
  await screen.findByRole('navigation', { name: 'Main' })
  return history
}

const isOpen = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-expanded')

describe('Sidebar', () => {
  it('opens the submenu of the page, and only one at a time', async () => {
    await show('/project/7/payments/allPayments')
    expect(isOpen('Payments')).toBe('true')
    await userEvent.click(screen.getByRole('button', { name: 'Withdraw' }))
    expect(isOpen('Withdraw')).toBe('true')
    expect(isOpen('Payments')).toBe('false')
    await userEvent.click(screen.getByRole('button', { name: 'Withdraw' }))
    expect(isOpen('Withdraw')).toBe('false')
  })

  it('keeps the entry that was pressed where it is until the pointer leaves the menu', async () => {
    await show('/project/7/payments/allPayments')
    const list = screen.getByRole('link', { name: 'All payments' }).closest('div')
    await userEvent.click(screen.getByRole('button', { name: 'Withdraw' }))
    expect([list?.hidden, list?.className]).toEqual([false, expect.stringContaining('invisible')])
    await userEvent.unhover(screen.getByRole('button', { name: 'Withdraw' }))
    expect(list?.hidden).toBe(true)
    await userEvent.click(screen.getByRole('button', { name: 'Payments' }))
    expect(list?.className).not.toContain('invisible')
  })

  it('moves at once where a key opens a submenu', async () => {
    await show('/project/7/payments/allPayments')
    const list = screen.getByRole('link', { name: 'All payments' }).closest('div')
    fireEvent.click(screen.getByRole('button', { name: 'Withdraw' }), { detail: 0 })
    expect(list?.hidden).toBe(true)
  })

  it('marks the current page and fills the project into links', async () => {
    await show('/project/7/payments/allPayments')
    const current = screen.getByRole('link', { current: 'page' })
    expect(current.textContent).toBe('All payments')
    expect(screen.getByRole('link', { name: 'Dashboard' }).getAttribute('href')).toBe('/project/7/dashboard')
  })

  it('leads to all projects from a page without one', async () => {
    await show('/settings')
    expect(screen.getByRole('link', { name: 'Dashboard' }).getAttribute('href')).toBe('/project/all/dashboard')
  })

  it('draws nothing the operator may not open', async () => {
    await show('/project/7/payments/allPayments', { permissions: ['payment:read', 'analytics:read'] })
    expect(screen.queryByRole('link', { name: 'Create payment link' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Withdraw' })).toBeNull()
    expect(screen.queryByText('ASSETS')).toBeNull()
    expect(screen.getByText('GENERAL')).toBeDefined()
  })

  it('names the Documentation link as one that opens a new tab', async () => {
    await show('/settings')
    const link = screen.getByRole('link', { name: /^Documentation.*opens in a new tab/ })
    expect(link.getAttribute('target')).toBe('_blank')
  })

  it('names the lists of its sections by their headings, as a strip too', async () => {
    await show('/settings')
    const entries = (name: string) => {
      expect(screen.getByRole('heading', { level: 2, name })).toBeDefined()
      return screen.getByRole('list', { name }).children.length
    }
    expect(['ASSETS', 'GENERAL'].map(entries)).toEqual([3, 2])
    await userEvent.click(screen.getByRole('button', { name: 'Collapse menu' }))
    expect(['ASSETS', 'GENERAL'].map(entries)).toEqual([3, 2])
  })

  it('says of each group of the strip whether its links are shown', async () => {
    window.innerWidth = 1000
    await show('/settings')
    const group = screen.getByRole('button', { name: 'Payments' })
    expect(group.getAttribute('aria-expanded')).toBe('false')
    const links = document.getElementById(group.getAttribute('aria-controls') ?? '')
    for (const newState of ['open', 'closed']) {
      if (links !== null) fireEvent(links, Object.assign(new Event('toggle'), { newState }))
      expect(group.getAttribute('aria-expanded')).toBe(String(newState === 'open'))
    }
  })

  it('is a strip on a tablet until the operator chooses otherwise', async () => {
    window.innerWidth = 768
    await show('/settings')
    await userEvent.click(screen.getByRole('button', { name: 'Expand menu' }))
    expect(localStorage.getItem('sidebar')).toBe('expanded')
    expect(screen.getByRole('button', { name: 'Collapse menu' })).toBeDefined()
  })

  it('remembers on this device that it is a strip', async () => {
    await show('/settings')
    await userEvent.click(screen.getByRole('button', { name: 'Collapse menu' }))
    expect(localStorage.getItem('sidebar')).toBe('collapsed')
    expect(screen.getByRole('button', { name: 'Expand menu' })).toBeDefined()
  })

  it('is a strip on a narrow screen whatever was remembered', async () => {
    window.innerWidth = 390
    writeStored('sidebar', undefined)
    await show('/settings')
    expect(screen.getByRole('button', { name: 'Expand menu' })).toBeDefined()
  })
})

describe('ProjectSelector', () => {
  const button = (name: string) => screen.getByRole('button', { name })
  const options = () => screen.getAllByRole('option', { hidden: true }).map((option) => option.textContent)

  it('lists all projects first when there are several', async () => {
    await show('/project/7/dashboard')
    expect(button('Project: Acme').getAttribute('aria-disabled')).toBeNull()
    expect(options()).toEqual([
      'All Projects',
      expect.stringMatching(/^Acme0 networks/),
      expect.stringMatching(/^Nordlicht/),
    ])
    expect(screen.getByText('Add Project')).toBeDefined()
  })

  it('lists the project alone when there is one', async () => {
    await show('/project/7/dashboard', { names: ['Acme'] })
    expect(options()).toEqual([expect.stringMatching(/^Acme/)])
  })

  it('offers only Add Project when there is none, and nothing without the permission', async () => {
    await show('/project/all/dashboard', { names: [] })
    expect(screen.queryAllByRole('option', { hidden: true })).toEqual([])
    expect(screen.getByText('Add Project')).toBeDefined()
    cleanup()
    await show('/project/all/dashboard', { names: [], permissions: ['project:read'] })
    expect(screen.queryByText('Add Project')).toBeNull()
  })

  it('goes to the chosen project’s dashboard with its id in the query', async () => {
    const history = await show('/project/7/dashboard')
    await userEvent.click(screen.getByText('Nordlicht'))
    expect(history.location.href).toBe('/project/8/dashboard?projectId=8')
  })

  it('is disabled and shows all projects where the address names none', async () => {
    writeStored('lastProject', '8')
    await show('/settings')
    expect(button('Project: All Projects').getAttribute('aria-disabled')).toBe('true')
    const back = screen.getByRole('link', { name: 'Back to Nordlicht' })
    expect(back.getAttribute('href')).toBe('/project/8/dashboard')
    // It lies on the selector: the menu below stands where it stands on a page of a project.
    expect(back.className).toContain('absolute')
  })

  it('follows a project named in the query', async () => {
    await show('/developers?projectId=8')
    expect(button('Project: Nordlicht').getAttribute('aria-disabled')).toBeNull()
  })
})
