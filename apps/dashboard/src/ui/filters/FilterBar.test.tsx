import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { renderScreen } from '../../testing/render-screen.tsx'
import { FilterBar } from './FilterBar.tsx'
import type { FilterField } from './filter-fields.ts'

const FIELDS: readonly FilterField[] = [
  {
    key: 'status',
    label: 'Status',
    kind: 'choice',
    options: [
      { value: 'FILLED', label: 'Paid' },
      { value: 'LATE', label: 'Late' },
    ],
  },
  { key: 'amount', label: 'Amount', kind: 'amount' },
  { key: 'created', label: 'Created', kind: 'date' },
]

beforeEach(() => localStorage.clear())
afterEach(cleanup)

const show = (query = '') => renderScreen(<FilterBar fields={FIELDS} columns={[]} />, `/list${query}`)

// Panels are closed where the platform opens them: what is in them counts as hidden.
const HIDDEN = { hidden: true } as const
const panel = (name: string) => within(screen.getByRole('dialog', { name, ...HIDDEN }))
const press = (button: HTMLElement) => userEvent.click(button)
const pressIn = (name: string, label: string) => press(panel(name).getByRole('button', { name: label, ...HIDDEN }))

describe('FilterBar', () => {
  it('adds a filter: which field, then its value', async () => {
    const history = show('?cursor=abc')
    await press(await screen.findByRole('button', { name: 'Add filter' }))
    await pressIn('Add filter', 'Status')
    await press(panel('Add filter').getByRole('checkbox', { name: 'Late', ...HIDDEN }))
    await pressIn('Add filter', 'Apply')
    expect(history.location.search).toBe('?status=LATE')
    expect(screen.getByRole('button', { name: 'Status: Late' })).toBeDefined()
  })

  it('leaves “Add filter” and its own line where they are when chips come', async () => {
    show()
    const placeOf = (button: HTMLElement) => button.closest('[role="group"] > div')?.className
    const place = placeOf(await screen.findByRole('button', { name: 'Add filter' }))
    cleanup()
    show('?status=LATE')
    const button = await screen.findByRole('button', { name: 'Add filter' })
    expect(placeOf(button)).toBe(place)
    expect(within(screen.getByRole('group', { name: 'Filters' })).getAllByRole('button')[0]).toBe(button)
  })

  it('changes a filter from its chip, and nothing before “Apply”', async () => {
    const history = show('?status=LATE')
    await press(await screen.findByRole('button', { name: 'Status: Late' }))
    await press(panel('Filter by Status').getByRole('checkbox', { name: 'Paid', ...HIDDEN }))
    expect(history.location.search).toBe('?status=LATE')
    await pressIn('Filter by Status', 'Apply')
    expect(history.location.search).toBe('?status=LATE%2CFILLED')
  })

  it('narrows by an amount, digit by digit', async () => {
    const history = show()
    await press(await screen.findByRole('button', { name: 'Add filter' }))
    await pressIn('Add filter', 'Amount')
    const amounts = panel('Add filter')
    await userEvent.type(amounts.getByLabelText('Amount at least'), '1,000.50')
    await userEvent.type(amounts.getByLabelText('Amount at most'), '2000.')
    await pressIn('Add filter', 'Apply')
    expect(history.location.search).toBe('?amount=1000.50..2000')
  })

  it('puts two days in order', async () => {
    const history = show('?created=today')
    await press(await screen.findByRole('button', { name: 'Created: today' }))
    const dates = panel('Filter by Created')
    await userEvent.selectOptions(dates.getByLabelText('Created'), 'Between two days')
    await userEvent.type(dates.getByLabelText('First day'), '2026-11-20')
    await userEvent.type(dates.getByLabelText('Last day'), '2026-11-01')
    expect(dates.getByText('End is before start; the dates will be swapped.')).toBeDefined()
    await pressIn('Filter by Created', 'Apply')
    expect(history.location.search).toBe('?created=2026-11-01..2026-11-20')
  })

  it('takes one filter out, or all', async () => {
    const history = show('?query=ann&status=LATE&amount=10..&cursor=abc')
    await press(await screen.findByRole('button', { name: 'Remove Amount: at least $10.00' }))
    expect(history.location.search).toBe('?query=ann&status=LATE')
    await press(screen.getByRole('button', { name: 'Clear all' }))
    expect(history.location.search).toBe('?query=ann')
    expect(screen.queryByRole('button', { name: 'Clear all' })).toBeNull()
  })

  it('opens with the key f', async () => {
    show()
    await screen.findByRole('button', { name: 'Add filter' })
    await userEvent.keyboard('f')
    expect(panel('Add filter').getByRole('button', { name: 'Status', ...HIDDEN })).toBeDefined()
  })
})
