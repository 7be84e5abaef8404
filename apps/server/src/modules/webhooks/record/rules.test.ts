import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { healthOf, hintOf, receives, nextStep, RETRY_DELAYS_MS, retryAfterMs } from './rules.ts'

const NOW = new Date('2026-01-31T09:00:00.000Z')
const HOUR = 3_600_000
const FAILED = { code: 500, retryAfterMs: null }

describe('webhooks.nextStep', () => {
  it('makes ten attempts over 75 hours and 35 minutes, each distance within a tenth', () => {
    expect(RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0)).toBe(75 * HOUR + 35 * 60_000 + 5000)
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (random) => {
        for (const [index, delay] of RETRY_DELAYS_MS.entries()) {
          const step = nextStep(index + 1, FAILED, random)
          if (step.kind !== 'retry') throw new Error(`attempt ${index + 1} is not tried again`)
          expect(Math.abs(step.afterMs - delay)).toBeLessThanOrEqual(delay * 0.1 + 1)
        }
      }),
    )
  })

  it('gives up after the tenth attempt', () => {
    expect(nextStep(9, FAILED, 0.5)).toEqual({ kind: 'retry', afterMs: 24 * HOUR })
    expect(nextStep(10, FAILED, 0.5)).toEqual({ kind: 'failed' })
  })

  it('takes any 2xx for a yes and nothing else, no answer included', () => {
    for (const code of [200, 201, 204, 299]) {
      expect(nextStep(1, { code, retryAfterMs: null }, 0.5)).toEqual({ kind: 'received' })
    }
    for (const code of [null, 100, 199, 300, 301, 308, 400, 404, 429, 500, 503]) {
      expect(nextStep(1, { code, retryAfterMs: null }, 0.5)).toEqual({ kind: 'retry', afterMs: 5000 })
    }
  })

  it('disables the endpoint after 410 Gone at any attempt', () => {
    expect(nextStep(1, { code: 410, retryAfterMs: null }, 0.5)).toEqual({ kind: 'gone' })
    expect(nextStep(10, { code: 410, retryAfterMs: null }, 0.5)).toEqual({ kind: 'gone' })
  })

  it('waits as long as a busy receiver asks, at most a day, and never shorter than planned', () => {
    const asked = (code: number, ms: number) => nextStep(1, { code, retryAfterMs: ms }, 0.5)
    expect(asked(429, 60_000)).toEqual({ kind: 'retry', afterMs: 60_000 })
    expect(asked(503, 48 * HOUR)).toEqual({ kind: 'retry', afterMs: 24 * HOUR })
    expect(asked(503, 1)).toEqual({ kind: 'retry', afterMs: 5000 })
    expect(asked(500, 60_000)).toEqual({ kind: 'retry', afterMs: 5000 })
  })
})

describe('webhooks.retryAfterMs', () => {
  it('reads seconds and dates', () => {
    expect(retryAfterMs('120', NOW)).toBe(120_000)
    expect(retryAfterMs(' 0 ', NOW)).toBe(0)
    expect(retryAfterMs('Sat, 31 Jan 2026 09:02:00 GMT', NOW)).toBe(120_000)
    expect(retryAfterMs('Sat, 31 Jan 2026 08:00:00 GMT', NOW)).toBe(0)
  })

  it('reads a wait of years as one, so that the longest patience applies', () => {
    expect(retryAfterMs('999999999', NOW)).toBe(999_999_999_000)
  })

  it('reads nothing into anything else', () => {
    for (const header of [undefined, '', 'soon', '-5', '1.5']) expect(retryAfterMs(header, NOW)).toBeNull()
  })
})

describe('webhooks.receives', () => {
  it('receives the default events when none are listed', () => {
    expect(receives(null, 'payment.filled')).toBe(true)
    expect(receives([], 'payment.filled')).toBe(true)
    expect(receives(null, 'payment.created')).toBe(false)
  })

  it('receives exactly those that are listed', () => {
    expect(receives(['payment.created'], 'payment.created')).toBe(true)
    expect(receives(['payment.created'], 'payment.filled')).toBe(false)
  })

  it('never receives administration events, listed or not', () => {
    expect(receives(['project.changed'], 'project.changed')).toBe(false)
    expect(receives(null, 'api_key.created')).toBe(false)
  })
})

describe('webhooks.healthOf', () => {
  it('calls an endpoint failing after five days of nothing but failures', () => {
    const since = (hours: number) => ({
      failing_since: new Date(NOW.getTime() - hours * HOUR),
      last_delivery_at: NOW,
    })
    expect(healthOf({ failing_since: null, last_delivery_at: null }, NOW)).toBe('idle')
    expect(healthOf({ failing_since: null, last_delivery_at: NOW }, NOW)).toBe('ok')
    expect(healthOf(since(119), NOW)).toBe('ok')
    expect(healthOf(since(120), NOW)).toBe('failing')
  })
})

describe('webhooks.hintOf', () => {
  it('shows the kind and the end of a secret, and no more of one that another member made', () => {
    expect(hintOf('whsec_AAAABBBBCCCC')).toBe('whsec_••••CCCC')
    expect(hintOf('kw_AAAABBBBCCCC')).toBe('kw_••••CCCC')
    expect(hintOf('correct-horse-battery_staple')).toBe('••••aple')
  })
})
