import { describe, expect, it } from 'vitest'

import { createConcurrencyLimiter } from './concurrency-limiter.ts'

describe('webhooks.places', () => {
  it('gives an endpoint eight requests at a time, and one that fails a single one', () => {
    const places = createConcurrencyLimiter()
    expect([places.free(1, false), places.free(1, true)]).toEqual([8, 1])
    for (let n = 0; n < 8; n += 1) places.take(1)
    expect([places.free(1, false), places.free(2, false)]).toEqual([0, 8])
    places.leave(1)
    expect(places.free(1, false)).toBe(1)
  })

  it('leaves a place for one more endpoint when thousands hang', () => {
    const places = createConcurrencyLimiter()
    for (let endpoint = 2; places.free(endpoint, false) > 0; endpoint += 1) {
      for (let free = places.free(endpoint, false); free > 0; free -= 1) places.take(endpoint)
      if (endpoint === 1_000) expect(places.free(1, false)).toBeGreaterThanOrEqual(1)
      if (endpoint > 10_000) break
    }
    expect(places.free(1, false)).toBe(0)
  })

  it('says so when a place gets free that somebody waits for, once', () => {
    const places = createConcurrencyLimiter()
    places.reject(1)
    expect(places.isTurnedAway(1)).toBe(false)
    places.take(1)
    places.take(1)
    places.reject(1)
    expect([places.leave(1), places.leave(1)]).toEqual([true, false])
  })
})
