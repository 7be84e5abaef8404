// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { crossedMark, minutesAndSeconds, startClock } from './clock.ts'

const START = '2026-11-20T05:00:00.000Z'

/** Draws a clock that ends some seconds after the server's now. */
function draw(seconds: number): void {
  const until = new Date(Date.parse(START) + seconds * 1000).toISOString()
  document.body.innerHTML = `<div id="view" data-now="${START}"><span id="clock"><time datetime="${until}" data-left="{time} left" data-spoken-10="ten" data-spoken-5="five" data-spoken-1="one" data-spoken-0="over">until</time></span></div><p id="spoken"></p>`
}

function words(selector: string): string | null | undefined {
  return document.querySelector(selector)?.textContent
}

beforeEach(() => void vi.useFakeTimers({ now: new Date('2031-01-01T00:00:00Z') }))
afterEach(() => void vi.useRealTimers())

describe('clock', () => {
  it('counts down by the server’s clock, whatever the device believes', () => {
    draw(760)
    startClock(() => {})
    expect(words('time')).toBe('12:40 left')
    vi.advanceTimersByTime(1000)
    expect(words('time')).toBe('12:39 left')
  })

  it('notes how far the server’s clock is ahead, for the wallet part', () => {
    draw(760)
    startClock(() => {})
    expect(Date.now() + Number(document.documentElement.dataset['ahead'])).toBe(Date.parse(START))
  })

  it('speaks at ten, five and one minutes and at the end, never in between', () => {
    draw(601)
    let ended = 0
    startClock(() => (ended += 1))
    const heard: string[] = []
    for (let second = 0; second < 610; second++) {
      vi.advanceTimersByTime(1000)
      const now = words('#spoken') ?? ''
      if (now !== '' && heard.at(-1) !== now) heard.push(now)
    }
    expect(heard).toEqual(['ten', 'five', 'one', 'over'])
    expect(ended).toBe(1)
    expect(words('time')).toBe('00:00 left')
  })

  it('keeps the time as the server printed it until the last hour', () => {
    draw(3601)
    startClock(() => {})
    expect(words('time')).toBe('until')
    vi.advanceTimersByTime(1000)
    expect(words('time')).toBe('60:00 left')
  })

  it('stops on request', () => {
    draw(5)
    let ended = 0
    startClock(() => (ended += 1))()
    vi.advanceTimersByTime(10_000)
    expect(ended).toBe(0)
  })

  it('prints minutes and seconds', () => {
    expect([minutesAndSeconds(3_600_000), minutesAndSeconds(999), minutesAndSeconds(-5)]).toEqual([
      '60:00',
      '00:01',
      '00:00',
    ])
  })

  it('names a mark once even when a sleeping tab jumps over it', () => {
    expect(crossedMark(700_000, 290_000)).toBe(10)
    expect(crossedMark(290_000, 289_000)).toBeNull()
    expect(crossedMark(290_000, -1)).toBe(0)
  })
})
