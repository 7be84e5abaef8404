import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { parseSearch, stringifySearch } from '../../lib/navigation/search.ts'
import { DataTable } from './DataTable.tsx'
import '../../testing/patient.ts'

const ROWS = [1, 2, 3].map((id) => ({ id, amount: `$${id}.00`, email: `${id}@example.com` }))
const COLUMNS = [
  { key: 'amount', label: 'Amount', cell: ({ amount }: (typeof ROWS)[number]) => amount, card: 'title' as const },
  { key: 'email', label: 'Customer', cell: ({ email }: (typeof ROWS)[number]) => email },
]

beforeEach(() => {
  window.innerWidth = 1200
})
afterEach(cleanup)

async function show() {
  const component = () => (
    <>
      <input aria-label="Search" />
      <DataTable
        caption="Payments"
        columns={COLUMNS}
        rows={ROWS}
        rowKey={({ id }) => String(id)}
        rowHref={({ id }) => `/?open=${id}`}
        menu={() => []}
        rowName={({ id }) => `payment ${id}`}
        empty={null}
      />
    </>
  )
  const history = createMemoryHistory({ initialEntries: ['/'] })
  const routeTree = createRootRoute({ component })
  render(<RouterProvider router={createRouter({ routeTree, history, parseSearch, stringifySearch }) as never} />)
  await screen.findByText('1@example.com')
  return history
}

const focused = () => document.activeElement?.textContent

describe('the keys of a list', () => {
  it('go through the rows from anywhere on the page, and Enter opens', async () => {
    const history = await show()
    expect(document.activeElement).toBe(document.body)
    await userEvent.keyboard('j')
    expect(focused()).toBe('$1.00')
    await userEvent.keyboard('jjj')
    expect(focused()).toBe('$3.00')
    await userEvent.keyboard('k{Enter}')
    expect(history.location.search).toBe('?open=2')
  })

  it('go on where they were when the focus was lost', async () => {
    await show()
    await userEvent.keyboard('jj')
    ;(document.activeElement as HTMLElement).blur()
    await userEvent.keyboard('j')
    expect(focused()).toBe('$3.00')
  })

  it('act from the menu’s button of a row, never while a text is typed', async () => {
    await show()
    screen.getByRole('button', { name: 'Actions for payment 2' }).focus()
    await userEvent.keyboard('j')
    expect(focused()).toBe('$3.00')
    await userEvent.type(screen.getByRole('textbox', { name: 'Search' }), 'jk')
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Search' }))
  })

  it('act on cards as well', async () => {
    window.innerWidth = 500
    await show()
    await userEvent.keyboard('j')
    expect(focused()).toBe('$1.00')
  })

  it('find the focus on the row that was pressed, for what opens there to give it back', async () => {
    await show()
    await userEvent.click(screen.getByText('2@example.com'))
    expect(focused()).toBe('$2.00')
  })
})

describe('the menus of the rows', () => {
  it('stay in view at the end of a table that is wider than its place', async () => {
    await show()
    const cell = screen.getByRole('button', { name: 'Actions for payment 2' }).closest('td')
    expect(cell?.className).toMatch(/\bsticky end-0\b/)
    expect(screen.getByText('Actions', { selector: 'thead *' }).closest('td')?.className).toMatch(/\bsticky end-0\b/)
  })
})
