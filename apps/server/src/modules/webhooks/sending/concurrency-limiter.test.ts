import { describe, expect, it } from 'vitest'

import { createConcurrencyLimiter } from './concurrency-limiter.ts'

describe('webhooks.places', () => {
  it('gives an endpoint eight requests at a time, and one that fails or has not answered yet a single one', () => {
    const places = createConcurrencyLimiter()
    expect([places.free(1, true), places.free(1, false)]).toEqual([8, 1])
    places.take(1, 8)
    expect([places.free(1, true), places.free(2, true)]).toEqual([0, 8])
    places.leave(1, 1)
    expect(places.free(1, true)).toBe(1)
  })

  it('leaves a place for one more endpoint when thousands hang', () => {
    const places = createConcurrencyLimiter()
    for (let endpoint = 2; places.free(endpoint, true) > 0; endpoint += 1) {
      places.take(endpoint, places.free(endpoint, true))
      if (endpoint === 1_000) expect(places.free(1, true)).toBeGreaterThanOrEqual(1)
      if (endpoint > 10_000) break
    }
    expect(places.free(1, true)).toBe(0)
  })

  it('notifies once when a slot becomes free that a caller waits for', () => {
    const places = createConcurrencyLimiter()
    places.reject(1)
    expect(places.isRejected(1)).toBe(false)
    places.take(1, 2)
    places.reject(1)
    expect([places.leave(1, 1), places.leave(1, 1)]).toEqual([true, false])
  })
})
