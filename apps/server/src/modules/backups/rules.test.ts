import { describe, expect, it } from 'vitest'

import { isBackupDue } from './rules.ts'

const NOW = new Date('2026-11-29T12:00:00.000Z')
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000)
const due = (takenAt: Date | null, more: object = {}) =>
  isBackupDue({ network: 'mainnet', remindAfterDays: 7, takenAt, now: NOW, ...more })

describe('isBackupDue', () => {
  it('asks where there is none, and where the newest is older than it may be', () => {
    expect([due(null), due(daysAgo(7.1)), due(daysAgo(7)), due(daysAgo(0))]).toEqual([true, true, false, false])
    expect([due(daysAgo(29), { remindAfterDays: 30 }), due(daysAgo(31), { remindAfterDays: 30 })]).toEqual([
      false,
      true,
    ])
  })

  it('never asks with 0 days, nor on the sandbox', () => {
    expect([due(null, { remindAfterDays: 0 }), due(daysAgo(99), { remindAfterDays: 0 })]).toEqual([false, false])
    expect([due(null, { network: 'sandbox' }), due(null, { network: 'testnet' })]).toEqual([false, true])
  })
})
