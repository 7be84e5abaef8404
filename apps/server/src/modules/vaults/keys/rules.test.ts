import { describe, expect, it } from 'vitest'

import { chargeAttempt } from './rules.ts'

const now = new Date('2026-01-31T09:00:00.000Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

describe('vaults.chargeAttempt', () => {
  it('tells the seconds left and charges nothing while a key waits', () => {
    expect(chargeAttempt({ failures: 9, waitUntil: later(3.2), updatedAt: now }, now)).toEqual({ retryAfter: 4 })
    expect(chargeAttempt({ failures: 99, waitUntil: later(900), updatedAt: now }, now)).toEqual({ retryAfter: 900 })
  })

  it('waits no longer than fifteen minutes although a clock was ahead', () => {
    const ahead = { failures: 40, waitUntil: later(7200), updatedAt: later(6300) }
    expect(chargeAttempt(ahead, now)).toEqual({ failures: 41, waitUntil: later(900) })
  })
})
