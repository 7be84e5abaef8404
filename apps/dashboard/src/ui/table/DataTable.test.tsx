import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseSearch, stringifySearch } from '../../lib/navigation/search.ts'
import { columnsFrom } from '../list/columns.ts'
import { useSelection } from '../list/useSelection.ts'
import { DataTable } from './DataTable.tsx'
import type { DataTableProps } from './DataTable.tsx'
import '../../testing/patient.ts'

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

  it('opens a row at its address for a press on any part', async () => {
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

  it('keeps the page size in the address, and goes back to the start with it', async () => {
    const history = await show({ paging: { total: 12_408, isSized: true } }, '/list?cursor=abc')
    await userEvent.selectOptions(screen.getByLabelText('Rows'), '200')
    expect(history.location.search).toBe('?limit=200')
    await userEvent.selectOptions(screen.getByLabelText('Rows'), '50')
    expect(history.location.search).toBe('')
    expect(screen.getByText('1–2 of 12,408')).toBeDefined()
  })

  it('says which rows these are on every page it was turned to', async () => {
    const paging = { nextCursor: 'older-2', prevCursor: 'newer-2', total: 1204 }
    const history = await show({ paging }, '/list?cursor=unknown')
    expect(screen.getByText('2 of 1,204')).toBeDefined()
    cleanup()
    const first = await show({ paging: { ...paging, prevCursor: null } })
    expect(screen.getByText('1–2 of 1,204')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Older' }))
    expect(first.location.search).toBe('?cursor=older-2')
    cleanup()
    await show({ paging: { ...paging, nextCursor: 'older-3' } }, '/list?cursor=older-2')
    expect(screen.getByText('3–4 of 1,204')).toBeDefined()
    await userEvent.keyboard(']')
    cleanup()
    await show({ paging: { ...paging, total: 120_000, totalIsEstimate: true } }, '/list?cursor=older-3')
    expect(screen.getByText('5–6 of about 120,000')).toBeDefined()
    expect(history.location.search).toBe('?cursor=unknown')
  })

  it('knows the last page by its end', async () => {
    const paging = { nextCursor: null, prevCursor: 'newer-last', total: 1204 }
    await show({ paging }, '/list?cursor=shared')
    expect(screen.getByText('1,203–1,204 of 1,204')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Newer' }))
    cleanup()
    await show({ paging: { ...paging, nextCursor: 'shared', prevCursor: 'newer-still' } }, '/list?cursor=newer-last')
    expect(screen.getByText('1,201–1,202 of 1,204')).toBeDefined()
  })

  it('gives a table that is wider than its place a window of its own, for the head to stay in', async () => {
    await show()
    expect(screen.queryByRole('region', { name: 'Payments, table' })).toBeNull()
    expect(screen.getByRole('table').querySelector('thead')?.className).toContain('sticky')
    cleanup()
    vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(1400)
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900)
    await show()
    const region = screen.getByRole('region', { name: 'Payments, table' })
    expect(region.tabIndex).toBe(0)
    expect(within(region).getByRole('table')).toBeDefined()
    vi.restoreAllMocks()
  })

  it('leaves out columns that may give way, in their order, until the rest has room, and brings them back where there is more', async () => {
    let resized = () => {}
    class Observer {
      constructor(onResize: () => void) {
        resized = onResize
      }
      observe() {}
      disconnect() {}
    }
    vi.stubGlobal('ResizeObserver', Observer)
    const heads = () => screen.getAllByRole('columnheader').map((head) => head.textContent)
    const plain = (key: string) => ({ key, label: key, cell: () => key })
    const columns = [
      plain('Amount'),
      { ...plain('Asset'), shrink: 2 },
      { ...plain('Filled'), shrink: 1 },
      { ...plain('Created'), shrink: 3 },
    ]
    vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockImplementation(function (this: HTMLElement) {
      return 300 * this.querySelectorAll('th[scope=col]').length
    })
    const width = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900)
    await show({ columns })
    expect(heads()).toEqual(['Amount', 'Asset', 'Created'])
    expect(screen.queryByRole('region', { name: 'Payments, table' })).toBeNull()
    cleanup()
    width.mockReturnValue(600)
    await show({ columns })
    expect(heads()).toEqual(['Amount', 'Created'])
    vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(1200)
    width.mockReturnValue(1200)
    act(() => resized())
    expect(heads()).toEqual(['Amount', 'Asset', 'Filled', 'Created'])
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  it('comes to rest where the page’s own scrollbar is there only while a column is', async () => {
    const count = (element: HTMLElement) => element.querySelectorAll('th[scope=col]').length
    const spy = (name: 'scrollWidth' | 'clientWidth' | 'offsetWidth', width: (columns: number) => number) =>
      vi.spyOn(HTMLElement.prototype, name, 'get').mockImplementation(function (this: HTMLElement) {
        return width(count(this))
      })
    const place = (columns: number) => (columns === 3 ? 885 : 900)
    spy('offsetWidth', place)
    spy('clientWidth', place)
    spy('scrollWidth', (columns) => (columns === 3 ? 890 : 600))
    const columns = ['Amount', 'Asset', 'Note'].map((key) => ({ key, label: key, cell: () => key }))
    await show({ columns: columns.map((column) => (column.key === 'Asset' ? { ...column, shrink: 1 } : column)) })
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual(['Amount', 'Note'])
    vi.restoreAllMocks()
  })

  it('turns pages with [ and ]', async () => {
    const history = await show({ paging: { nextCursor: 'older', prevCursor: 'newer' } })
    await userEvent.keyboard(']')
    expect(history.location.search).toBe('?cursor=older')
    await userEvent.keyboard('[[')
    expect(history.location.search).toBe('?cursor=newer')
  })

  it('has one menu, filled for the row whose button was pressed', async () => {
    const onSelect = vi.fn<(id: number) => void>()
    await show({
      rowName: ({ id }) => `payment ${id}`,
      menu: ({ id }) => [{ label: 'Copy', onSelect: () => onSelect(id) }],
    })
    expect(screen.queryByRole('menuitem', { hidden: true })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Actions for payment 2' }))
    await userEvent.click(screen.getByRole('menuitem', { name: 'Copy', hidden: true }))
    expect(onSelect).toHaveBeenCalledExactlyOnceWith(2)
  })

  it('leads a new tab to the row’s own page, and a plain press to the address beside the list', async () => {
    const history = await show({ rowPage: ({ id }) => `/list/${id}` })
    const link = screen.getByRole('link', { name: '$12.00' })
    expect(link.getAttribute('href')).toBe('/list/2')
    await userEvent.click(link)
    expect(history.location.href).toBe('/list?open=2')
    const tab = vi.spyOn(window, 'open').mockReturnValue(null)
    fireEvent(screen.getByText('a@example.com'), new MouseEvent('auxclick', { bubbles: true, button: 1 }))
    expect(tab).toHaveBeenCalledWith('/list/1', '_blank', 'noreferrer')
  })

  it('says that rows came, and shows them when asked', async () => {
    const onShow = vi.fn<() => void>()
    await show({ news: { arrived: 3, text: '3 new payments', onShow } })
    await userEvent.click(within(screen.getByRole('status')).getByRole('button', { name: '3 new payments' }))
    expect(onShow).toHaveBeenCalledOnce()
  })
})

describe('a finger that rests on a card', () => {
  const touch = { pointerType: 'touch', isPrimary: true, clientX: 10, clientY: 10 }
  const onLongPress = vi.fn<(key: string) => void>()
  const card = () => screen.getAllByRole('listitem')[1] as HTMLElement

  beforeEach(async () => {
    window.innerWidth = 390
    onLongPress.mockClear()
  })
  afterEach(() => vi.useRealTimers())

  it('picks it, and does not open it', async () => {
    const history = await show({ onLongPress: onLongPress })
    vi.useFakeTimers()
    fireEvent.pointerDown(card(), touch)
    vi.advanceTimersByTime(600)
    expect(onLongPress).toHaveBeenCalledExactlyOnceWith('2')
    fireEvent.pointerUp(card(), touch)
    const link = screen.getByRole('link', { name: '$12.00' })
    fireEvent.click(link)
    expect(history.location.href).toBe('/list')
    // The next press is one again.
    fireEvent.pointerDown(link, touch)
    fireEvent.pointerUp(link, touch)
    fireEvent.click(link)
    expect(history.location.href).toBe('/list?open=2')
  })

  it('means nothing when it moves on, lifts early, or is a mouse', async () => {
    await show({ onLongPress: onLongPress })
    vi.useFakeTimers()
    fireEvent.pointerDown(card(), touch)
    fireEvent.pointerMove(card(), { ...touch, clientY: 40 })
    vi.advanceTimersByTime(600)
    fireEvent.pointerDown(card(), touch)
    fireEvent.pointerUp(card(), touch)
    vi.advanceTimersByTime(600)
    fireEvent.pointerDown(card(), { ...touch, pointerType: 'mouse' })
    vi.advanceTimersByTime(600)
    expect(onLongPress).not.toHaveBeenCalled()
  })

  it('takes the place of the browser’s own menu', async () => {
    await show({ onLongPress: onLongPress })
    fireEvent.pointerDown(card(), touch)
    expect(fireEvent.contextMenu(card())).toBe(false)
    expect(onLongPress).toHaveBeenCalledExactlyOnceWith('2')
  })
})

describe('picking rows', () => {
  const MANY = [1, 2, 3, 4].map((id) => ({ id, amount: `$${id}.00`, email: `${id}@example.com` }))

  function Pickable() {
    const selection = useSelection(
      MANY.map(({ id }) => String(id)),
      'list',
    )
    return (
      <>
        <DataTable
          caption="Payments"
          columns={COLUMNS}
          rows={MANY}
          rowKey={({ id }) => String(id)}
          rowHref={({ id }) => `/list?open=${id}`}
          rowName={({ id }) => `payment ${id}`}
          selection={selection}
          empty={null}
        />
        <p>{selection.count} picked</p>
      </>
    )
  }

  const box = (name: string) => screen.getByRole('checkbox', { name })
  const picked = () =>
    screen.getAllByRole('row').flatMap((row, at) => (row.getAttribute('aria-selected') === 'true' ? [at] : []))

  async function showPickable() {
    const routeTree = createRootRoute({ component: Pickable })
    const history = createMemoryHistory({ initialEntries: ['/'] })
    render(<RouterProvider router={createRouter({ routeTree, history, parseSearch, stringifySearch }) as never} />)
    await screen.findByRole('table')
    return history
  }

  it('picks one row, and those between with Shift, without opening any', async () => {
    const history = await showPickable()
    await userEvent.click(box('Select payment 1'))
    const user = userEvent.setup()
    await user.keyboard('{Shift>}')
    await user.click(box('Select payment 3'))
    await user.keyboard('{/Shift}')
    expect(picked()).toEqual([1, 2, 3])
    expect(history.location.href).toBe('/')
  })

  it('picks all on the page and lets them go', async () => {
    await showPickable()
    await userEvent.click(box('Select all 4 on this page'))
    expect(screen.getByText('4 picked')).toBeDefined()
    await userEvent.click(box('Select payment 2'))
    expect((box('Select all 4 on this page') as HTMLInputElement).indeterminate).toBe(true)
    await userEvent.click(box('Select all 4 on this page'))
    await userEvent.click(box('Select all 4 on this page'))
    expect(screen.getByText('0 picked')).toBeDefined()
  })

  it('picks with x, and the next row with Shift and an arrow', async () => {
    await showPickable()
    screen.getByRole('link', { name: '$2.00' }).focus()
    await userEvent.keyboard('x')
    expect(picked()).toEqual([2])
    await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}')
    expect(picked()).toEqual([2, 3])
    expect(document.activeElement?.textContent).toBe('$3.00')
  })
})
