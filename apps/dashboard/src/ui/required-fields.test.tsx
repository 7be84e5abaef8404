import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'

import { useForm } from '../lib/forms/form.ts'
import { AmountField } from './fields/AmountField.tsx'
import { NumberField } from './fields/NumberField.tsx'
import { PasswordField } from './fields/PasswordField.tsx'
import { Select } from './fields/Select.tsx'
import { TextArea } from './fields/TextArea.tsx'
import { TextField } from './fields/TextField.tsx'

afterEach(cleanup)

const EMPTY = { name: '', note: '', port: '25', amount: '', password: '', network: '', speed: 'fast', kind: 'plain' }
type Values = typeof EMPTY

/** Everything but a note is needed, and a note where the kind is `held`. */
function missing(values: Values) {
  const names = (Object.keys(values) as (keyof Values)[]).filter((name) => name !== 'note' || values.kind === 'held')
  return Object.fromEntries(names.filter((name) => values[name] === '').map((name) => [name, `${name} is required`]))
}

const options = (...values: string[]) => values.map((value) => ({ value, label: value }))

function Specimen() {
  const { field, onSubmit } = useForm({ initial: EMPTY, validate: missing, submit: async () => undefined })
  return (
    <form noValidate onSubmit={onSubmit}>
      <TextField {...field('name')} label="Name" />
      <TextArea {...field('note')} label="Note" />
      <NumberField {...field('port')} label="Port" />
      <AmountField {...field('amount')} label="Amount" currency="USD" decimals={6} />
      <PasswordField {...field('password')} label="Password" autoComplete="current-password" />
      <Select {...field('network')} label="Network" options={options('', 'BASE')} />
      <Select {...field('speed')} label="Speed" options={options('fast', 'slow')} />
      <Select {...field('kind')} label="Kind" options={options('plain', 'held')} />
    </form>
  )
}

const marked = () =>
  [...document.querySelectorAll('label')]
    .filter(({ htmlFor }) => document.getElementById(htmlFor)?.getAttribute('aria-required') === 'true')
    .map(({ textContent }) => textContent)

describe('a form’s required fields', () => {
  it('are marked by what the form refuses empty, in every part, and by nothing of the browser', () => {
    render(<Specimen />)
    // A choice that is never empty cannot be forgotten.
    expect(marked()).toEqual(['Name', 'Port', 'Amount', 'Password', 'Network'])
    expect(document.querySelectorAll('[title="Required"]')).toHaveLength(5)
    expect(document.querySelector('[required]')).toBeNull()
  })

  it('follow what is chosen elsewhere in the form', () => {
    render(<Specimen />)
    fireEvent.change(screen.getByLabelText('Kind'), { target: { value: 'held' } })
    expect(marked()).toContain('Note')
    fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Acme' } })
    expect(marked()).toContain('Name')
  })
})
