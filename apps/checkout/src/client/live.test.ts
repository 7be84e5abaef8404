// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { renderCheckout } from '../render/page.ts'
import { fundedPayment, pinnedPayment, SAMPLES, sampleRepair, UNLISTED } from '../testing/samples.ts'
import { follow, hasChanged } from './live.ts'

/** Stands in for the browser's own event source. */
function fakeStreams() {
  const streams: { url: string; source: EventTarget & { readyState: number; close: () => void } }[] = []
  const open = function (url: string) {
    const source = Object.assign(new EventTarget(), { readyState: 0, close: () => void (source.readyState = 2) })
    streams.push({ url, source })
    return source
  }
  vi.stubGlobal('EventSource', Object.assign(open, { CLOSED: 2 }))
  return streams
}

let streams: ReturnType<typeof fakeStreams>
let asked: string[] = []
let answer: unknown = {}
let refreshed = 0
let isDown = false

beforeEach(() => {
  vi.useFakeTimers()
  streams = fakeStreams()
  asked = []
  refreshed = 0
  isDown = false
  answer = pinnedPayment()
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    if (isDown) throw new TypeError('Failed to fetch')
    return new Response(JSON.stringify(answer))
  })
  document.documentElement.innerHTML = new DOMParser().parseFromString(
    renderCheckout(SAMPLES.waiting).html,
    'text/html',
  ).documentElement.innerHTML
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const PATH = `/api/v1/payment/reference/${pinnedPayment().referenceID}`
const refresh = async () => void (refreshed += 1)
const message = (payment: unknown) => new MessageEvent('payment', { data: JSON.stringify(payment) })

describe('live', () => {
  it('knows news from what is already on screen, in the form of the wire', () => {
    expect(hasChanged(JSON.stringify(pinnedPayment()))).toBe(false)
    expect(hasChanged(JSON.stringify(fundedPayment('49', { fundingState: 'detected' })))).toBe(true)
  })

  it('calls news what changes beside the states: the rest, where a transfer stands, a newer request, a later end', () => {
    const [deposit] = fundedPayment('49').deposits
    for (const change of [
      { repair: sampleRepair('send_rest', '0.4') },
      { deposits: deposit ? [deposit] : [] },
      { waitsBecause: 'Base is not followed right now.' },
      { unlisted: [UNLISTED] },
      { supersededBy: '0199f0b2-7d6e-7c3a-9b1e-3f6f5b1a2c4e' },
      { expiresAt: new Date('2026-11-27T05:00:00.000Z') },
    ]) {
      expect(hasChanged(JSON.stringify(pinnedPayment(change)))).toBe(true)
    }
  })

  it('looks at the page again every minute, every quarter of one where a network is waited for', async () => {
    const looks: (boolean | undefined)[] = []
    streams.length = 0
    follow(async (isIdle) => void looks.push(isIdle))
    streams[0]?.source.dispatchEvent(new Event('open'))
    await vi.advanceTimersByTimeAsync(59_000)
    expect(looks).toEqual([])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(looks).toEqual([true])
    document.getElementById('view')?.setAttribute('data-refresh', '15')
    await vi.advanceTimersByTimeAsync(60_000 + 15_000)
    expect(looks).toEqual([true, true, true])
  })

  it('says when nothing answers, until something does', async () => {
    const banner = () => document.getElementById('unreachable')?.hidden
    follow(refresh)
    expect(banner()).toBe(true)
    isDown = true
    streams[0]?.source.dispatchEvent(new Event('error'))
    await vi.advanceTimersByTimeAsync(5000)
    expect(banner()).toBe(false)
    isDown = false
    await vi.advanceTimersByTimeAsync(5000)
    expect(banner()).toBe(true)
  })

  it('redraws on an event of the stream that changes something', () => {
    follow(refresh)
    expect(streams.map(({ url }) => url)).toEqual([`${PATH}/stream`])
    streams[0]?.source.dispatchEvent(message(pinnedPayment()))
    expect(refreshed).toBe(0)
    streams[0]?.source.dispatchEvent(message(fundedPayment('49')))
    expect(refreshed).toBe(1)
  })

  it('asks every five seconds until the stream is open', async () => {
    follow(refresh)
    answer = fundedPayment('49')
    await vi.advanceTimersByTimeAsync(5000)
    expect([asked, refreshed]).toEqual([[PATH], 1])
    streams[0]?.source.dispatchEvent(new Event('open'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toHaveLength(1)
  })

  it('asks again when the stream breaks, every fifteen seconds while hidden, and opens a new one', async () => {
    follow(refresh)
    const first = streams[0]?.source
    first?.dispatchEvent(new Event('open'))
    await vi.advanceTimersByTimeAsync(5000)
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    first?.close()
    first?.dispatchEvent(new Event('error'))
    await vi.advanceTimersByTimeAsync(35_000)
    expect(asked).toHaveLength(3)
    expect(streams).toHaveLength(2)
    vi.restoreAllMocks()
  })

  it('rests when the payment is settled and the server ends the stream', async () => {
    document.getElementById('view')?.setAttribute('data-settled', '')
    follow(refresh)
    streams[0]?.source.dispatchEvent(new Event('error'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(streams[0]?.source.readyState).toBe(2)
    expect([asked, streams.length]).toEqual([[], 1])
  })
})
