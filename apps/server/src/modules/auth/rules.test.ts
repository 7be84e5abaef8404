import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  maskEmail,
  canonicalJson,
  chargeAttempt,
  isSlideDue,
  normalizeSetupCode,
  sessionTimes,
  slideIdle,
  waitSeconds,
} from './rules.ts'

const now = new Date('2026-01-31T09:00:00.000Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

describe('auth.waitSeconds', () => {
  it('lets five failures pass, then doubles from one second to fifteen minutes', () => {
    expect([0, 4, 5, 6, 7, 14, 15, 16, 1000].map(waitSeconds)).toEqual([0, 0, 1, 2, 4, 512, 900, 900, 900])
  })

  it('never shortens with a further failure', () => {
    fc.assert(
      fc.property(fc.nat(10_000), (failures) => {
        expect(waitSeconds(failures + 1)).toBeGreaterThanOrEqual(waitSeconds(failures))
      }),
    )
  })
})

describe('auth.chargeAttempt', () => {
  it('charges the attempt before it is tried', () => {
    expect(chargeAttempt({ failures: 4, waitUntil: now, updatedAt: now }, now)).toEqual({
      failures: 5,
      waitUntil: later(1),
    })
  })

  it('tells the seconds left and charges nothing while the account waits', () => {
    expect(chargeAttempt({ failures: 9, waitUntil: later(3.2), updatedAt: now }, now)).toEqual({ retryAfter: 4 })
  })

  it('starts over after a quiet day', () => {
    const yesterday = later(-24 * 3600 - 1)
    expect(chargeAttempt({ failures: 40, waitUntil: yesterday, updatedAt: yesterday }, now)).toEqual({
      failures: 1,
      waitUntil: now,
    })
  })
})

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

describe('auth.normalizeSetupCode', () => {
  it('reads a code in any case, with or without dashes', () => {
    expect(normalizeSetupCode(' k7qm-2xwd 9fhtbn4p ')).toBe('K7QM2XWD9FHTBN4P')
  })
})

describe('auth.canonicalJson', () => {
  it('gives equal values equal text, whatever the order of keys', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}')
    expect(canonicalJson({ a: true, b: [1, { c: 'x', d: null }] })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}')
  })
})

describe('auth.maskEmail', () => {
  it.each([
    ['owner@shop.example', 'o…r@shop.example'],
    ['anna@shop.example', 'a…a@shop.example'],
    ['joe@shop.example', 'j…@shop.example'],
    ['jo@x.io', 'j…@x.io'],
    ['a@x.io', '…@x.io'],
  ])('shows %s as %s', (email, masked) => {
    expect(maskEmail(email)).toBe(masked)
  })
})
