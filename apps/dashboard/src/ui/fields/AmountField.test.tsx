import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'

import { AmountField } from './AmountField.tsx'

afterEach(cleanup)

function Asked() {
  const [value, setValue] = useState('')
  return (
    <>
      <AmountField label="Amount" value={value} onChange={setValue} currency="USD" decimals={2} />
      <output>{value}</output>
    </>
  )
}

function typed(text: string): string {
  fireEvent.change(screen.getByLabelText('Amount'), { target: { value: text } })
  return screen.getByRole('status').textContent ?? ''
}

describe('AmountField', () => {
  it.each([
    ['1234.5', '1234.5'],
    ['1,234.5', '1234.5'],
    ['12,345,678', '12345678'],
    ['1 234', '1234'],
    ['$49', '49'],
    ['$1,234.56', '1234.56'],
    ['US$ 49', '49'],
    ['49 usd', '49'],
    ['49.', '49'],
    ['.5', '0.5'],
    ['-5', '0'],
    ['-$5', '0'],
  ])('reads %s as %s', (text, value) => {
    render(<Asked />)
    expect(typed(text)).toBe(value)
  })

  it.each([
    ['1,5', 'For decimals use a point, as in 1.50'],
    ['1234,5', 'For decimals use a point, as in 1.50'],
    ['1,23,456', 'For decimals use a point, as in 1.50'],
    ['0,500', 'For decimals use a point, as in 1.50'],
    ['1.234,56', 'For decimals use a point, as in 1.50'],
    ['10.000,00', 'For decimals use a point, as in 1.50'],
    ['1.234', 'At most 2 decimals. For thousands type no point: 1234'],
    ['5.12345', 'At most 2 decimals'],
    ['1.2.3', 'Digits and one decimal point only'],
    ['49EUR', 'Digits and one decimal point only'],
    ['1234567890123', 'At most 12 digits before the point'],
    ['5x', 'Digits and one decimal point only'],
  ])('keeps %s as it was typed, takes it for no amount and says what to type', (text, why) => {
    render(<Asked />)
    typed('49')
    expect(typed(text)).toBe(text)
    expect(screen.getByText(why)).toBeDefined()
    expect(screen.getByDisplayValue(text)).toBeDefined()
  })

  it.each([
    ['1,234,567', '1234567'],
    ['1,234.50', '1234.50'],
    ['1,2345', '1,2345'],
    ['1.234,56', '1.234,56'],
    ['12,50', '12,50'],
  ])('makes %s, typed key by key, %s', async (text, value) => {
    render(<Asked />)
    await userEvent.type(screen.getByLabelText('Amount'), text)
    expect(screen.getByRole('status').textContent).toBe(value)
    expect(screen.getByDisplayValue(text)).toBeDefined()
  })

  it('makes 0 of what is below zero, and no other amount of its keys', async () => {
    render(<Asked />)
    await userEvent.type(screen.getByLabelText('Amount'), '-5.25')
    expect(screen.getByRole('status').textContent).toBe('0')
    expect(screen.getByDisplayValue('-5.25')).toBeDefined()
    expect(screen.getByText('Less than zero counts as 0')).toBeDefined()
    await userEvent.tab()
    expect(screen.getByDisplayValue('0')).toBeDefined()
  })

  it('marks what may still become thousands only when it is left so', () => {
    render(<Asked />)
    typed('1,2')
    expect(screen.getByText('For decimals use a point, as in 1.50')).toBeDefined()
    expect(screen.getByLabelText('Amount').getAttribute('aria-invalid')).toBeNull()
    typed('1,2345')
    expect(screen.getByLabelText('Amount').getAttribute('aria-invalid')).toBe('true')
  })
})
