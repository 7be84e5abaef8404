import { describe, expect, it } from 'vitest'

import { isJustNow, isSlideDue, renewal, sessionTimes, slideIdle } from './rules.ts'

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
    const session = { idle_expires_at: later(30), expires_at: later(60) }
    expect(slideIdle(session, 120, now)).toEqual(later(60))
    expect(slideIdle({ ...session, expires_at: later(24 * 3600) }, 120, now)).toEqual(later(7200))
  })

  it('wakes no key that was idle for too long', () => {
    expect(slideIdle({ idle_expires_at: later(-1), expires_at: later(3600) }, 120, now)).toEqual(later(-1))
  })

  it('writes a use at most once a minute', () => {
    expect(isSlideDue(later(-59), now)).toBe(false)
    expect(isSlideDue(later(-60), now)).toBe(true)
  })
})

describe('auth.renewal', () => {
  const DAY = 24 * 3600
  const session = { created_at: now, expires_at: later(DAY), restricted: false, refresh_expires_at: later(7 * DAY) }

  it('keeps the refresh token while more than two days remain of it', () => {
    expect(renewal(session, later(5 * DAY - 1))).toEqual({
      isRotated: false,
      accessExpiresAt: later(5 * DAY - 1 + 900),
      refreshExpiresAt: later(7 * DAY),
    })
    expect(renewal(session, later(5 * DAY))).toMatchObject({ isRotated: true, refreshExpiresAt: later(12 * DAY) })
  })

  it('ends everything thirty days after signing in', () => {
    const late = { ...session, refresh_expires_at: later(29 * DAY) }
    expect(renewal(late, later(28 * DAY)).refreshExpiresAt).toEqual(later(30 * DAY))
    expect(renewal(late, later(30 * DAY - 60)).accessExpiresAt).toEqual(later(30 * DAY))
  })

  it('ends a restricted session with its key', () => {
    const restricted = { ...session, restricted: true, expires_at: later(1800), refresh_expires_at: later(1800) }
    expect(renewal(restricted, later(1000))).toMatchObject({
      accessExpiresAt: later(1800),
      refreshExpiresAt: later(1800),
    })
  })

  it('calls a minute just now', () => {
    expect(isJustNow(later(-60), now)).toBe(true)
    expect(isJustNow(new Date(later(-60).getTime() - 1), now)).toBe(false)
    expect(isJustNow(null, now)).toBe(false)
    expect(isJustNow(later(60), now)).toBe(true)
    expect(isJustNow(later(3600), now), 'noted by a clock that was ahead').toBe(false)
  })
})
