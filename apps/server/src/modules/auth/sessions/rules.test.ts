import { describe, expect, it } from 'vitest'

import { isSlideDue, sessionTimes, slideIdle } from './rules.ts'

const now = new Date('2026-01-31T09:00:00.000Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

describe('auth.sessionTimes', () => {
  const policy = { idleMinutes: 120, absoluteHours: 24 }

  it('follows the policy', () => {
    expect(sessionTimes(now, policy)).toEqual({
      idleExpiresAt: later(2 * 3600),
      expiresAt: later(24 * 3600),
      accessExpiresAt: later(900),
      refreshExpiresAt: later(7 * 24 * 3600),
      stepUpUntil: later(30 * 60),
    })
  })

  it('ends a restricted session after half an hour in every way', () => {
    const times = sessionTimes(now, policy, { restricted: true })
    expect(times.expiresAt).toEqual(later(1800))
    expect(times.idleExpiresAt).toEqual(later(1800))
    expect(times.refreshExpiresAt).toEqual(later(1800))
  })

  it('never lets the idle time pass the absolute end', () => {
    expect(sessionTimes(now, { idleMinutes: 1440, absoluteHours: 1 }).idleExpiresAt).toEqual(later(3600))
    expect(slideIdle(later(60), 120, now)).toEqual(later(60))
    expect(slideIdle(later(24 * 3600), 120, now)).toEqual(later(7200))
  })

  it('writes a use at most once a minute', () => {
    expect(isSlideDue(later(-59), now)).toBe(false)
    expect(isSlideDue(later(-60), now)).toBe(true)
  })
})
