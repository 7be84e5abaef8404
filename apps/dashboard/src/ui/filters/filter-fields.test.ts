import { describe, expect, it } from 'vitest'

import { filterText, isSet, rangeText, readAmounts, readChoice, readDays } from './filter-fields.ts'
import type { AmountField, ChoiceField, DateField } from './filter-fields.ts'

const status: ChoiceField = {
  key: 'status',
  label: 'Status',
  kind: 'choice',
  options: [
    { value: 'FILLED', label: 'Paid' },
    { value: 'LATE', label: 'Late' },
  ],
}
const project: ChoiceField = { key: 'project', label: 'Project', kind: 'choice', options: [], others: /^\d+$/ }
const amount: AmountField = { key: 'amount', label: 'Amount', kind: 'amount' }
const created: DateField = { key: 'created', label: 'Created', kind: 'date' }

describe('a choice in an address', () => {
  it('is read without what it does not know and without repetition', () => {
    expect(readChoice(status, 'LATE,NOPE,LATE,FILLED')).toEqual(['LATE', 'FILLED'])
    expect(isSet(status, 'NOPE')).toBe(false)
    expect(filterText(status, 'LATE,FILLED')).toBe('Late, Paid')
  })

  it('may name what is still on its way', () => {
    expect(readChoice(project, '12,x')).toEqual(['12'])
    expect(filterText(project, '12')).toBe('12')
  })
})

describe('a range in an address', () => {
  it.each(['49', '10..50', '10..', '..50', '0.000001..'])('comes back as it was written: %s', (text) => {
    const range = readAmounts(text)
    expect(range === undefined ? '' : rangeText(range)).toBe(text)
  })

  it.each(['', '..', '1..2..3', 'ten', '-5', '1e3', '0.0000001', '1,5'])('is none: %s', (text) => {
    expect(isSet(amount, text)).toBe(false)
  })

  it('is said in words', () => {
    expect(filterText(amount, '49')).toBe('$49.00')
    expect(filterText(amount, '10..')).toBe('at least $10.00')
    expect(filterText(amount, '..50.5')).toBe('at most $50.50')
    expect(filterText(amount, '10..50')).toBe('$10.00 to $50.00')
  })

  it('holds days of the calendar, or a span that moves with it', () => {
    expect(readDays('2026-11-01..2026-11-20')).toEqual({ from: '2026-11-01', to: '2026-11-20' })
    expect(isSet(created, '2026-02-30')).toBe(false)
    expect(isSet(created, 'last_30_days')).toBe(true)
    expect(filterText(created, 'last_30_days')).toBe('last 30 days')
    expect(filterText(created, '2026-11-01..2026-11-20')).toBe('1 Nov 2026 to 20 Nov 2026')
    expect(filterText(created, '2026-11-01..')).toBe('since 1 Nov 2026')
  })
})
