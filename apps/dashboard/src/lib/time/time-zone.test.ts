import { afterEach, describe, expect, it } from 'vitest'

import { chooseZone, momentOf, operatorZone, timeZones, wallClock } from './time-zone.ts'
import { exactTime, timeAgo } from './time.ts'

afterEach(() => localStorage.clear())

const WINTER = new Date('2026-01-20T22:30:15.250Z')
const SUMMER = new Date('2026-07-20T22:30:15.250Z')

describe('wallClock', () => {
  it('is the browser’s clock until a zone is chosen', () => {
    expect(wallClock(WINTER).toISOString()).toBe('2026-01-20T22:30:15.250Z')
    expect(operatorZone()).toBe('UTC')
  })

  it('is the chosen zone’s, summer time and the next day included', () => {
    chooseZone('Europe/Berlin')
    expect(wallClock(WINTER).toISOString()).toBe('2026-01-20T23:30:15.250Z')
    expect(wallClock(SUMMER).toISOString()).toBe('2026-07-21T00:30:15.250Z')
    expect(operatorZone()).toBe('Europe/Berlin')
  })

  it('takes no zone this browser does not know', () => {
    chooseZone('Mars/Olympus')
    expect(operatorZone()).toBe('UTC')
  })
})

describe('momentOf', () => {
  it.each(['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns'])('turns the clock back in %s', (zone) => {
    chooseZone(zone)
    for (const at of [WINTER, SUMMER]) expect(momentOf(wallClock(at))).toEqual(at)
  })

  it('begins a day without a midnight with the change of the clocks, and one with two with the first', () => {
    chooseZone('America/Santiago')
    expect(momentOf(new Date('2026-09-06T00:00:00Z')).toISOString()).toBe('2026-09-06T04:00:00.000Z')
    chooseZone('America/Havana')
    expect(momentOf(new Date('2026-11-01T00:00:00Z')).toISOString()).toBe('2026-11-01T04:00:00.000Z')
  })
})

describe('times in a chosen zone', () => {
  it('are written with its offset, and its midnight parts the days', () => {
    chooseZone('Asia/Kathmandu')
    expect(exactTime(WINTER)).toBe('2026-01-21 04:15:15 UTC+5:45')
    expect(timeAgo(new Date('2026-01-20T18:00:00Z'), WINTER)).toBe('yesterday 23:45')
  })
})

describe('timeZones', () => {
  it('holds UTC and the zones of the world', () => {
    expect(timeZones()).toEqual(expect.arrayContaining(['UTC', 'Europe/Berlin']))
  })
})
