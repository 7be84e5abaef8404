import { describe, expect, it } from 'vitest'

import { readMoment } from './moments.ts'

const read = (text: string, options?: { timezone?: string; isEnd?: boolean }) =>
  readMoment(text, options)?.toISOString() ?? null

describe('kit.readMoment', () => {
  it.each([
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:00.123456Z', '2026-01-31T09:30:00.123Z'],
    ['2026-01-31T09:30:00+05:30', '2026-01-31T04:00:00.000Z'],
    ['2026-01-31T09:30-0800', '2026-01-31T17:30:00.000Z'],
    ['2026-01-31 09:30', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  it.each([
    '',
    'yesterday',
    '2026-02-30',
    '2026-13-01',
    '2026-01-31T24:00',
    '2026-01-31T09:60',
    '0026-01-31',
    '31.01.2026',
    '1738315800',
    '2026-01-31T09',
  ])('refuses %j', (text) => {
    expect(read(text)).toBeNull()
  })

  it('ends a range with the last millisecond of the day', () => {
    expect(read('2026-01-31', { isEnd: true })).toBe('2026-01-31T23:59:59.999Z')
    expect(read('2026-01-31T23:59:59', { isEnd: true })).toBe('2026-01-31T23:59:59.999Z')
    expect(read('2026-01-31T23:59:59.5', { isEnd: true })).toBe('2026-01-31T23:59:59.500Z')
    expect(read('2026-01-31T10:00:00Z', { isEnd: true })).toBe('2026-01-31T10:00:00.999Z')
    expect(read('2026-01-31T10:00:00.000Z', { isEnd: true })).toBe('2026-01-31T10:00:00.000Z')
  })

  it('reads local times and days in the zone of the request', () => {
    expect(read('2026-01-31', { timezone: 'Europe/Berlin' })).toBe('2026-01-30T23:00:00.000Z')
    expect(read('2026-07-31T12:00', { timezone: 'Europe/Berlin' })).toBe('2026-07-31T10:00:00.000Z')
    expect(read('2026-01-31', { timezone: 'Asia/Kolkata', isEnd: true })).toBe('2026-01-31T18:29:59.999Z')
    expect(read('2026-01-31T09:30:00Z', { timezone: 'Asia/Kolkata' })).toBe('2026-01-31T09:30:00.000Z')
    expect(read('2026-01-31', { timezone: 'Mars/Olympus' })).toBeNull()
  })

  it('knows that days are shorter and longer when the clocks change', () => {
    const day = (text: string) => {
      const options = { timezone: 'Europe/Berlin' }
      const [start, end] = [readMoment(text, options), readMoment(text, { ...options, isEnd: true })]
      return ((end?.getTime() ?? 0) + 1 - (start?.getTime() ?? 0)) / 3_600_000
    }
    expect([day('2026-03-29'), day('2026-10-25'), day('2026-01-31')]).toEqual([23, 25, 24])
  })

  it.each([
    // At midnight clocks go on to one o'clock: the day has none, and the day before loses nothing.
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z', '2026-09-07T02:59:59.999Z'],
    ['America/Santiago', '2026-09-05', '2026-09-05T04:00:00.000Z', '2026-09-06T03:59:59.999Z'],
    ['Atlantic/Azores', '2026-03-28', '2026-03-28T01:00:00.000Z', '2026-03-29T00:59:59.999Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', '2026-04-24T20:59:59.999Z'],
    // At midnight they go back to eleven: the last hour of the day comes twice.
    ['America/Santiago', '2026-04-04', '2026-04-04T03:00:00.000Z', '2026-04-05T03:59:59.999Z'],
    // The last hour is skipped.
    ['America/Nuuk', '2026-03-28', '2026-03-28T02:00:00.000Z', '2026-03-29T00:59:59.999Z'],
  ])('has days of %s that touch: %s', (timezone, day, from, to) => {
    expect([read(day, { timezone }), read(day, { timezone, isEnd: true })]).toEqual([from, to])
    const [first, last] = [read(`${day}T00:00:00`, { timezone }), read(`${day}T23:59:59`, { timezone, isEnd: true })]
    expect([first, last]).toEqual([from, to])
  })
})
