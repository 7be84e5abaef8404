import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { ColumnChooser } from './ColumnChooser.tsx'

const COLUMNS = ['Amount', 'Status', 'Customer', 'Invoice'].map((label) => ({ key: label.toLowerCase(), label }))

afterEach(cleanup)

async function open(shown: readonly string[], isOwn = true) {
  const onChange = vi.fn<(shown: readonly string[] | undefined) => void>()
  render(<ColumnChooser columns={COLUMNS} shown={shown} isOwn={isOwn} onChange={onChange} />)
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
  const panel = within(screen.getByRole('dialog', { name: 'Columns', hidden: true }))
  const press = (role: 'button' | 'checkbox', name: string) =>
    userEvent.click(panel.getByRole(role, { name, hidden: true }))
  return { onChange, panel, press }
}

describe('ColumnChooser', () => {
  it('lists what is shown in its order, then the rest', async () => {
    const { panel } = await open(['customer', 'amount'])
    const lines = panel.getAllByRole('checkbox', { hidden: true })
    expect(lines.map((line) => [line.closest('label')?.textContent, (line as HTMLInputElement).checked])).toEqual([
      ['Customer', true],
      ['Amount', true],
      ['Status', false],
      ['Invoice', false],
    ])
  })

  it('opens with the focus on what can be used', async () => {
    await open(['customer', 'amount'], false)
    const panel = screen.getByRole('dialog', { name: 'Columns', hidden: true })
    fireEvent(panel, Object.assign(new Event('toggle'), { newState: 'open' }))
    expect(document.activeElement?.closest('label')?.textContent).toBe('Customer')
  })

  it('adds at the end, and takes out', async () => {
    const { onChange, press } = await open(['customer', 'amount'])
    await press('checkbox', 'Invoice')
    expect(onChange).toHaveBeenLastCalledWith(['customer', 'amount', 'invoice'])
    await press('checkbox', 'Customer')
    expect(onChange).toHaveBeenLastCalledWith(['amount'])
  })

  it('moves by buttons, the first one only down and the last one only up', async () => {
    const { onChange, panel, press } = await open(['amount', 'status', 'customer'])
    expect(panel.queryByRole('button', { name: 'Move Amount up', hidden: true })).toBeNull()
    expect(panel.queryByRole('button', { name: 'Move Customer down', hidden: true })).toBeNull()
    await press('button', 'Move Amount down')
    expect(onChange).toHaveBeenLastCalledWith(['status', 'amount', 'customer'])
    await press('button', 'Move Customer up')
    expect(onChange).toHaveBeenLastCalledWith(['amount', 'customer', 'status'])
  })

  it('always leaves one column', async () => {
    const { onChange, press } = await open(['amount'])
    await press('checkbox', 'Amount')
    expect(onChange).not.toHaveBeenCalled()
  })

  it('gives back the table’s own columns, when there is something to give back', async () => {
    const { onChange, press } = await open(['amount'])
    await press('button', 'Reset')
    expect(onChange).toHaveBeenLastCalledWith(undefined)
    cleanup()
    const untouched = await open(['amount'], false)
    await untouched.press('button', 'Reset')
    expect(untouched.onChange).not.toHaveBeenCalled()
  })
})
