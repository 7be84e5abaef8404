import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { DataTable } from './DataTable.tsx'
import '../../testing/patient.ts'

/** What each column takes; there is room for 520. */
const WIDTHS: Record<string, number> = { Amount: 300, Asset: 60, Filled: 40, Note: 200, Created: 100 }

/** The columns of the one row, each time it was drawn. */
const draws: string[][] = []

const widthOf = (head: Element) => WIDTHS[head.textContent] ?? 0

function column(key: string, shrink: number) {
  const cell = () => {
    draws.at(-1)?.push(key)
    return key
  }
  return { key, label: key, shrink: shrink, cell }
}

const FIRST = {
  key: 'Amount',
  label: 'Amount',
  cell: () => {
    draws.push(['Amount'])
    return 'Amount'
  },
}
const COLUMNS = [FIRST, column('Asset', 2), column('Filled', 1), column('Note', 4), column('Created', 3)]

beforeEach(() => {
  window.innerWidth = 1200
})
afterEach(cleanup)

it('leaves out at once as many columns as make up for what does not fit: rows are drawn twice, not once a column', async () => {
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockImplementation(function (this: HTMLElement) {
    return this.tagName === 'TH' ? widthOf(this) : 520
  })
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(520)
  vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockImplementation(function (this: HTMLElement) {
    return [...this.querySelectorAll('th[scope=col]')].reduce((sum, head) => sum + widthOf(head), 0)
  })
  const table = () => <DataTable caption="Payments" columns={COLUMNS} rows={[1]} rowKey={String} empty={null} />
  const routeTree = createRootRoute({ component: table })
  const history = createMemoryHistory({ initialEntries: ['/'] })
  render(<RouterProvider router={createRouter({ routeTree, history }) as never} />)
  await screen.findByRole('table')
  const layouts = new Set(draws.map((keys) => keys.join(' ')))
  expect([...layouts]).toEqual(['Amount Asset Filled Note Created', 'Amount Note'])
  vi.restoreAllMocks()
})
