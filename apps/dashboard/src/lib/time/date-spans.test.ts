import { describe, expect, it } from 'vitest'

import { DATE_SPANS, daysOf, readDay } from './date-spans.ts'
import type { DateSpan } from './date-spans.ts'
import { chooseZone } from './time-zone.ts'
import { localIso } from './time.ts'

const day = (date: Date | undefined) => (date === undefined ? '' : localIso(date, 'start', date).slice(0, 10))

describe('daysOf', () => {
  const now = new Date(2026, 2, 31, 14, 30)
  it.each([
    ['today', '2026-03-31', '2026-03-31'],
    ['yesterday', '2026-03-30', '2026-03-30'],
    ['last_7_days', '2026-03-25', '2026-03-31'],
    ['last_14_days', '2026-03-18', '2026-03-31'],
    ['last_30_days', '2026-03-02', '2026-03-31'],
    ['this_month', '2026-03-01', '2026-03-31'],
    ['last_month', '2026-02-01', '2026-02-28'],
    ['last_6_months', '2025-10-01', '2026-03-31'],
  ] as const)('reads %s as %s to %s', (span, from, to) => {
    const days = daysOf(span, now)
    expect([day(days.from), day(days.to)]).toEqual([from, to])
  })

  it('begins the day where the operator’s clock does', () => {
    const late = new Date('2026-11-20T23:30:00Z')
    chooseZone('Asia/Tokyo')
    const days = daysOf('today', late)
    chooseZone(undefined)
    expect(day(days.from)).toBe('2026-11-21')
  })

  it('never ends before it begins, whatever the day', () => {
    for (let at = 0; at < 800; at += 1) {
      for (const span of Object.keys(DATE_SPANS) as DateSpan[]) {
        const { from, to } = daysOf(span, new Date(2027, 11, 1 + at, 23, 59))
        expect(Number(from)).toBeLessThanOrEqual(Number(to))
      }
    }
  })
})

describe('readDay', () => {
  it('takes a day of the calendar and nothing else', () => {
    expect(day(readDay('2028-02-29'))).toBe('2028-02-29')
    for (const text of ['2026-02-30', '2026-2-3', 'today', 'N', '', '2026-11-20T05:10:44']) {
      expect(readDay(text)).toBeUndefined()
    }
  })
})
