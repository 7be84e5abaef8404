import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'

import { NumberField } from './NumberField.tsx'

afterEach(cleanup)

function Stateful({ initial = '', max }: { initial?: string; max?: number }) {
  const [value, setValue] = useState(initial)
  return <NumberField label="Days" value={value} onChange={setValue} {...(max === undefined ? {} : { max })} />
}

const field = () => screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Days' })

describe('NumberField', () => {
  it('clamps a negative value to 0', () => {
    render(<Stateful />)
    fireEvent.change(field(), { target: { value: '-5' } })
    expect(field().value).toBe('0')
  })

  it('keeps a positive value as typed', async () => {
    render(<Stateful />)
    await userEvent.type(field(), '12')
    expect(field().value).toBe('12')
  })

  it('ignores the scroll wheel', () => {
    render(<Stateful initial="3" />)
    const wheel = new WheelEvent('wheel', { deltaY: 100, bubbles: true, cancelable: true })
    field().dispatchEvent(wheel)
    expect(wheel.defaultPrevented).toBe(true)
    expect(field().value).toBe('3')
  })

  it('clamps to its largest value on leaving and says so', async () => {
    render(<Stateful max={30} />)
    await userEvent.type(field(), '99')
    await userEvent.tab()
    expect(field().value).toBe('30')
    expect(screen.getByText('The largest value is 30.')).toBeDefined()
  })
})
