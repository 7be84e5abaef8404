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
})
