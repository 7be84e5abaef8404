import { describe, expect, it } from 'vitest'
import { reversalOf } from './rules.ts'

describe('ledger.reversalOf', () => {
  it('names the event that it reverses, and leaves the revision in the source', () => {
    const applied = { id: 5n, posting: 'deposit.apply', source: 'deposit:7:apply' }
    expect(reversalOf(applied)).toEqual({ id: 5n, posting: 'deposit.reverse', source: 'deposit:7:reverse-apply' })
    expect(reversalOf({ ...applied, source: 'deposit:7:apply:2' }).source).toBe('deposit:7:reverse-apply:2')
  })
})
