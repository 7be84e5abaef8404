import { describe, expect, it } from 'vitest'

import { ageText, clockTime, localIso, timeAgo, timeAgoInText, timeRemaining, utcIso } from './time.ts'

const NOW = new Date(2026, 10, 20, 14, 30, 15)
const after = (ms: number) => new Date(NOW.getTime() + ms)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('timeRemaining', () => {
  it.each([
    [-1, 'Ended'],
    [0, 'Ended'],
    [1, '1 minute'],
    [MINUTE, '1 minute'],
    [2 * MINUTE - 1, '1 minute'],
    [8 * MINUTE, '8 minutes'],
    [HOUR - 1, '59 minutes'],
    [HOUR, '1 hour'],
    [5.9 * HOUR, '5 hours'],
    [DAY, '1 day'],
    [30 * DAY - 1, '29 days'],
    [30 * DAY, '1 month'],
    [65 * DAY, '2 months'],
  ])('reads %i ms ahead as %s', (ms, text) => {
    expect(timeRemaining(after(ms), NOW)).toBe(text)
  })
})

describe('clockTime', () => {
  it('tells the second, and the day when it is not today', () => {
    expect(clockTime(after(-2 * MINUTE), NOW)).toBe('14:28:15')
    expect(clockTime(after(-DAY), NOW)).toBe('19 Nov 2026, 14:30:15')
  })
})

describe('localIso', () => {
  it('writes the day with the moment asked for, without a zone', () => {
    const day = new Date(2026, 0, 5, 9)
    expect(localIso(day, 'start', NOW)).toBe('2026-01-05T00:00:00')
    expect(localIso(day, 'end', NOW)).toBe('2026-01-05T23:59:59')
    expect(localIso(day, 'now', NOW)).toBe('2026-01-05T14:30:15')
    expect(localIso(day, { hours: 7, minutes: 5, seconds: 0 }, NOW)).toBe('2026-01-05T07:05:00')
  })
})

describe('utcIso', () => {
  it('has no milliseconds', () => {
    expect(utcIso(new Date('2026-11-20T05:10:44.987Z'))).toBe('2026-11-20T05:10:44Z')
  })
})

describe('timeAgo', () => {
  it.each([
    [0, 'now'],
    [-2 * MINUTE, '2 min ago'],
    [-3 * HOUR, '3 h ago'],
    [-DAY, 'yesterday 14:30'],
    [-8 * DAY, '12 Nov 2026, 14:30'],
  ])('reads %i ms as %s', (ms, text) => {
    expect(timeAgo(after(ms), NOW)).toBe(text)
  })
})

describe('timeAgoInText', () => {
  it.each([
    [0, 'just now'],
    [-2 * MINUTE, '2 min ago'],
    [-DAY, 'yesterday 14:30'],
  ])('reads %i ms as %s', (ms, text) => {
    expect(timeAgoInText(after(ms), NOW)).toBe(text)
  })
})

describe('ageText', () => {
  it.each([
    [0, '0 s'],
    [-12_999, '12 s'],
    [-MINUTE, '1 min'],
    [-59 * MINUTE, '59 min'],
    [-3 * HOUR, '3 h'],
    [-2 * DAY, '2 d'],
    // A server whose clock runs ahead of this one.
    [5_000, '0 s'],
  ])('reads %i ms as %s', (ms, text) => {
    expect(ageText(after(ms), NOW).replaceAll('\u00a0', ' ')).toBe(text)
  })
})
