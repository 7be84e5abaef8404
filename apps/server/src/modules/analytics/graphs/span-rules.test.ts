import { describe, expect, it } from 'vitest'

import { bucketLabels, bucketLength, bucketsOf, presetSpan, spanBefore } from './span-rules.ts'
import { type Zone, zoneOf } from './zone-rules.ts'

const zone = (name: string): Zone => zoneOf(name) ?? expect.fail(`no zone ${name}`)
const utc = zone('UTC')
const HOUR = 3_600_000
const hours = ({ from, until }: { from: Date | null; until: Date }) => (until.getTime() - (from?.getTime() ?? 0)) / HOUR

describe('analytics.zoneOf', () => {
  it('knows names of zones, and no offsets or other words', () => {
    for (const name of ['Mars/Base', '+03:00', '', 'UTC+3', '5']) expect([name, zoneOf(name)]).toEqual([name, null])
    expect(zone('Asia/Kathmandu').startOf(2026, 3, 1).toISOString()).toBe('2026-02-28T18:15:00.000Z')
  })

  it('has days of 23, 25 and 24.5 hours where clocks change', () => {
    const dayOf = (name: string, month: number, day: number) =>
      hours({ from: zone(name).startOf(2026, month, day), until: zone(name).startOf(2026, month, day + 1) })
    expect([dayOf('Europe/Berlin', 3, 29), dayOf('Europe/Berlin', 10, 25)]).toEqual([23, 25])
    expect([dayOf('Australia/Lord_Howe', 4, 5), dayOf('Australia/Lord_Howe', 10, 4)]).toEqual([24.5, 23.5])
  })

  it('begins a day without a midnight when its clocks leap', () => {
    // Cairo goes from 24:00 to 01:00 on the last Friday of April.
    const start = zone('Africa/Cairo').startOf(2026, 4, 24)
    expect(start.toISOString()).toBe('2026-04-23T22:00:00.000Z')
    expect(zone('Africa/Cairo').wallAt(start)).toMatchObject({ day: 24, hour: 1 })
  })
})

describe('analytics.presetSpan', () => {
  const now = new Date('2026-03-31T23:30:00Z')
  const at = (preset: Parameters<typeof presetSpan>[0], name = 'UTC') => {
    const { from, until } = presetSpan(preset, zone(name), now)
    return [from?.toISOString().slice(0, 16) ?? null, until.toISOString().slice(0, 16)]
  }

  it('covers whole days of the zone, today included', () => {
    expect(at('today')).toEqual(['2026-03-31T00:00', '2026-04-01T00:00'])
    expect(at('today', 'Europe/Berlin')).toEqual(['2026-03-31T22:00', '2026-04-01T22:00'])
    expect(at('yesterday')).toEqual(['2026-03-30T00:00', '2026-03-31T00:00'])
    expect(at('last_7_days')).toEqual(['2026-03-25T00:00', '2026-04-01T00:00'])
    expect(at('this_month', 'Asia/Kolkata')).toEqual(['2026-03-31T18:30', '2026-04-01T18:30'])
    expect(at('last_month')).toEqual(['2026-02-01T00:00', '2026-03-01T00:00'])
    expect(at('last_6_months')).toEqual(['2025-10-01T00:00', '2026-04-01T00:00'])
    expect(at('forever')).toEqual([null, '2026-04-01T00:00'])
  })

  it('knows 29 February', () => {
    const leap = presetSpan('last_month', utc, new Date('2028-03-05T00:00:00Z'))
    expect(bucketsOf({ from: leap.from ?? now, until: leap.until }, utc, 'day')).toHaveLength(29)
  })
})

describe('analytics.spanBefore', () => {
  it('is as many days of the zone, whatever their hours', () => {
    const berlin = zone('Europe/Berlin')
    const span = { from: berlin.startOf(2026, 3, 29), until: berlin.startOf(2026, 3, 31) }
    expect(spanBefore(span, berlin)).toEqual({ from: berlin.startOf(2026, 3, 27), until: span.from })
  })

  it('is as long when it is not of whole days', () => {
    const span = { from: new Date('2026-03-01T10:00:00Z'), until: new Date('2026-03-01T12:30:00Z') }
    expect(spanBefore(span, utc).from.toISOString()).toBe('2026-03-01T07:30:00.000Z')
  })
})

describe('analytics.bucketsOf', () => {
  const days = (count: number) => ({
    from: new Date('2026-01-01T00:00:00Z'),
    until: new Date(Date.UTC(2026, 0, 1 + count)),
  })

  it('divides by hour up to 2 days, day up to 92, week up to 366, then month', () => {
    expect([2, 3, 92, 93, 366, 367].map((count) => bucketLength(days(count), utc))).toEqual([
      'hour',
      'day',
      'day',
      'week',
      'week',
      'month',
    ])
  })

  it('leaves no gap, in any zone and length', () => {
    for (const name of ['Europe/Berlin', 'Australia/Lord_Howe', 'Africa/Cairo', 'Pacific/Chatham']) {
      const span = { from: zone(name).startOf(2026, 3, 1), until: zone(name).startOf(2026, 11, 15) }
      for (const length of ['hour', 'day', 'week', 'month'] as const) {
        const buckets = bucketsOf(span, zone(name), length)
        expect(buckets[0]?.from).toEqual(span.from)
        expect(buckets.at(-1)?.until).toEqual(span.until)
        buckets.slice(1).forEach(({ from }, at) => expect(from).toEqual(buckets[at]?.until))
      }
    }
  })

  it('has 23 and 25 hours where clocks change', () => {
    const berlin = zone('Europe/Berlin')
    const hoursOf = (month: number, day: number) =>
      bucketsOf({ from: berlin.startOf(2026, month, day), until: berlin.startOf(2026, month, day + 1) }, berlin, 'hour')
    expect([hoursOf(3, 29).length, hoursOf(10, 25).length]).toEqual([23, 25])
  })

  it('begins weeks on Monday, except the first', () => {
    const weeks = bucketsOf(
      { from: new Date('2026-01-01T00:00:00Z'), until: new Date('2026-01-20T00:00:00Z') },
      utc,
      'week',
    )
    expect(weeks.map(({ from }) => from.toISOString().slice(0, 10))).toEqual([
      '2026-01-01',
      '2026-01-05',
      '2026-01-12',
      '2026-01-19',
    ])
  })

  it('names buckets', () => {
    const bucket = { from: new Date('2026-04-06T00:00:00Z'), until: new Date('2026-04-13T00:00:00Z') }
    const labels = (['hour', 'day', 'week', 'month'] as const).map((length) => bucketLabels(bucket, utc, length))
    expect(labels.map(({ Timestamp, Extras }) => `${Timestamp}|${Extras}`)).toEqual([
      '00:00|Apr 06',
      'Apr 06|Monday',
      'Apr 06|to Apr 12',
      'Apr|2026',
    ])
  })
})
