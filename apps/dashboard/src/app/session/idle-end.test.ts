import { describe, expect, it } from 'vitest'

import { minuteText, secondsLeft } from './idle-end.ts'

const ANSWERED = Date.UTC(2026, 0, 1, 12)
const MINUTE = 60_000
const facts = (usedAt = ANSWERED) => ({ endsAt: ANSWERED + 120 * MINUTE, toldAt: ANSWERED, usedAt })

describe('secondsLeft', () => {
  it('is silent until two minutes before the end, then counts down to 0', () => {
    expect(secondsLeft(facts(), ANSWERED + 117 * MINUTE)).toBeNull()
    expect(secondsLeft(facts(), ANSWERED + 118 * MINUTE)).toBe(120)
    expect(secondsLeft(facts(), ANSWERED + 119.5 * MINUTE)).toBe(30)
    expect(secondsLeft(facts(), ANSWERED + 300 * MINUTE)).toBe(0)
  })

  it('moves with every later call, less the minute in which the server does not move it', () => {
    const used = ANSWERED + 60 * MINUTE
    expect(secondsLeft(facts(used), ANSWERED + 119 * MINUTE)).toBeNull()
    expect(secondsLeft(facts(used), used + 118 * MINUTE)).toBe(60)
  })
})

describe('minuteText', () => {
  it.each([
    [120, '2:00'],
    [61, '1:01'],
    [9, '0:09'],
  ])('writes %i seconds as %s', (seconds, text) => {
    expect(minuteText(seconds)).toBe(text)
  })
})
