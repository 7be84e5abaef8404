import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useLayoutEffect, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DataTable } from './DataTable.tsx'
import '../../testing/patient.ts'

type Row = { readonly id: number }

const MANY: readonly Row[] = Array.from({ length: 40 }, (_, id) => ({ id }))
const { innerHeight } = window

/** After each commit that drew some: how many rows, or cards, there were, how tall what stood for the others was, and which gave widths. */
const seen: string[] = []

function Cell({ text }: { text: string }) {
  useLayoutEffect(() => {
    const placeholder = document.querySelector<HTMLElement>(':is(table, ul) + div[aria-hidden]')
    const sizers = [...document.querySelectorAll('tr.collapse')].map(({ textContent }) => textContent)
    const drawn = document.querySelectorAll('a[data-row]').length
    const now = `${drawn}, ${placeholder?.style.blockSize ?? 'none'}, ${sizers.join(' and ')}`
    if (seen.at(-1) !== now) seen.push(now)
  }, [])
  return text
}

const COLUMNS = [
  { key: 'id', label: 'Id', cell: ({ id }: Row) => <Cell text={`Row ${id}`} />, card: 'title' as const },
  { key: 'dots', label: 'Dots', cell: dots, text: dots },
]

/** The last but ten has most of them. */
function dots({ id }: Row): string {
  return '.'.repeat(id === 30 ? 99 : id)
}

function List({ first }: { first?: readonly Row[] }) {
  const [rows, setRows] = useState(first)
  return (
    <>
      <button type="button" onClick={() => setRows(MANY)}>
        Arrive
      </button>
      <DataTable
        caption="Payments"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ id }) => String(id)}
        rowHref={({ id }) => `/list?open=${id}`}
        empty={null}
      />
    </>
  )
}

async function show(first?: readonly Row[]) {
  seen.length = 0
  const list = () => <List {...(first === undefined ? {} : { first })} />
  const routeTree = createRootRoute({ component: list })
  const history = createMemoryHistory({ initialEntries: ['/'] })
  render(<RouterProvider router={createRouter({ routeTree, history }) as never} />)
  await screen.findByText('Arrive')
}

beforeEach(() => {
  // Two thirds of it hold ten rows.
  window.innerHeight = 650
})
afterEach(() => {
  cleanup()
  window.innerHeight = innerHeight
  window.innerWidth = 1200
})

describe('many rows', () => {
  it.each([
    ['rows', 1200, '10, 1320px', `Row 30${dots({ id: 30 })}`],
    ['cards', 390, '10, 450rem', ''],
  ])('are drawn in sight first, as %s, with room for the others, then all', async (_, width, first, sizers) => {
    window.innerWidth = width
    await show()
    fireEvent.click(screen.getByText('Arrive'))
    await expect.poll(() => seen).toEqual([`${first}, ${sizers}`, '40, none, '])
    cleanup()
    // Those that are at hand, as after Back, take no time to be measured.
    await show(MANY)
    await expect.poll(() => seen).toEqual([`${first}, `, '40, none, '])
  })
})
