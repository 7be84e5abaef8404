import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { parseSearch, stringifySearch } from '../lib/search.ts'
import { DataTable } from './DataTable.tsx'
import type { DataTableProps } from './DataTable.tsx'
import { columnsFrom } from './table-columns.ts'

type Row = { readonly id: number; readonly amount: string; readonly email: string }

const ROWS: readonly Row[] = [
  { id: 1, amount: '$49.00', email: 'a@example.com' },
  { id: 2, amount: '$12.00', email: 'b@example.com' },
]
const ATTRIBUTES = [
  { displayName: 'Amount', key: 'amount', sortBy: 'amount_in_usd' },
  { displayName: 'Customer', key: 'email' },
]
const COLUMNS = columnsFrom<Row>(ATTRIBUTES, { amount: { cell: ({ amount }) => amount, card: 'title' } })

beforeEach(() => {
  window.innerWidth = 1200
})
afterEach(cleanup)

async function show(patch: Partial<DataTableProps<Row>> = {}, address = '/list') {
  const history = createMemoryHistory({ initialEntries: [address] })
  const table = () => (
    <DataTable
      caption="Payments"
      columns={COLUMNS}
      rows={ROWS}
      rowKey={({ id }) => String(id)}
      rowHref={({ id }) => `/list?open=${id}`}
      empty={<p>No payments yet.</p>}
      {...patch}
    />
  )
  const routeTree = createRootRoute({ component: table, notFoundComponent: table })
  const router = createRouter({ routeTree, history, parseSearch, stringifySearch })
  render(<RouterProvider router={router as never} />)
  await screen.findAllByText(/./)
  return history
}

describe('DataTable', () => {
  it('draws the columns the server names, in its order', async () => {
    await show()
    const table = screen.getByRole('table', { name: 'Payments' })
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((cell) => cell.textContent),
    ).toEqual(['Amount', 'Customer'])
    expect(within(table).getByRole('row', { name: /\$49\.00.*a@example\.com/ })).toBeDefined()
  })

  it('says what would be here when there is nothing', async () => {
    await show({ rows: [] })
    expect(screen.getByText('No payments yet.')).toBeDefined()
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('shows the error with its request id and a way to try again', async () => {
    const onRetry = vi.fn<() => void>()
    const error = { message: 'Something went wrong on our side.', code: 'INTERNAL_ERROR', requestId: '01J' }
    await show({ rows: undefined, error, onRetry })
    expect(screen.getByRole('alert').textContent).toContain('INTERNAL_ERROR · 01J')
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(onRetry).toHaveBeenCalledOnce()
  })

  it('keeps old rows on screen when a refetch fails', async () => {
    await show({ error: { message: 'No.' } })
    expect(screen.getByRole('row', { name: /\$49\.00/ })).toBeDefined()
  })

  it('says that it loads while the first answer is on its way', async () => {
    await show({ rows: undefined })
    expect(screen.getByRole('status').textContent).toBe('Loading Payments')
    expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('true')
  })

  it('opens a row at its address, wherever it is pressed', async () => {
    const history = await show()
    await userEvent.click(screen.getByText('b@example.com'))
    expect(history.location.href).toBe('/list?open=2')
  })

  it('sorts by the server’s key: descending, ascending, default', async () => {
    const history = await show({}, '/list?cursor=abc')
    const press = () => userEvent.click(screen.getByRole('button', { name: 'Amount' }))
    await press()
    expect(history.location.search).toBe('?sortBy=amount_in_usd&sortDirection=DESC')
    await press()
    expect(history.location.search).toBe('?sortBy=amount_in_usd&sortDirection=ASC')
    await press()
    expect(history.location.search).toBe('')
    expect(screen.queryByRole('button', { name: 'Customer' })).toBeNull()
  })

  it('pages by cursor', async () => {
    const history = await show({ paging: { nextCursor: 'older', prevCursor: null, total: 12_408 } })
    expect(screen.getByText(/2 of 12,408/)).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Newer' }))
    expect(history.location.search).toBe('')
    await userEvent.click(screen.getByRole('button', { name: 'Older' }))
    expect(history.location.search).toBe('?cursor=older')
  })

  it('turns rows into cards on a narrow screen', async () => {
    window.innerWidth = 390
    await show()
    expect(screen.queryByRole('table')).toBeNull()
    expect(within(screen.getByRole('list', { name: 'Payments' })).getAllByRole('listitem')).toHaveLength(2)
  })
})
