import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'

import { AmountField } from './AmountField.tsx'

afterEach(cleanup)

function Asked() {
  const [value, setValue] = useState('')
  return (
    <>
      <AmountField label="Amount" value={value} onChange={setValue} currency="USD" decimals={6} />
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
    ['-5', '0'],
  ])('reads %s as %s', (text, value) => {
    render(<Asked />)
    expect(typed(text)).toBe(value)
  })

  it.each(['1,5', '1,50', '1234,5', '1,23,456'])('takes %s for no amount and says what to type', (text) => {
    render(<Asked />)
    expect(typed(text)).toBe('')
    expect(screen.getByText('For decimals use a point, as in 1.50')).toBeDefined()
    expect(screen.getByDisplayValue(text)).toBeDefined()
  })

  it('refuses letters and too many decimals with a word', () => {
    render(<Asked />)
    expect(typed('5')).toBe('5')
    expect(typed('5x')).toBe('5')
    expect(screen.getByText('Digits and one decimal point only')).toBeDefined()
    expect(typed('5.1234567')).toBe('5')
    expect(screen.getByText('At most 6 decimals')).toBeDefined()
  })
})
