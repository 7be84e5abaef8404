// @vitest-environment node
import { describe, expect, it } from 'vitest'

import { readingAfter } from './chart-keys.ts'
import { contrast, guarded } from './colors.ts'
import { hiddenAfterDoublePress, hiddenAfterPress } from './legend.ts'
import { type ChartSeries, highestOf, MOST_SERIES, OTHER, topSeries, totalOf, totalsOf } from './series.ts'
import { paintsOf } from './paint.ts'
import { piecesOf, shareText } from './shares.ts'
import { namedPoints, timeAxis } from './time-axis.ts'
import { valueAxis } from './value-axis.ts'

const measure = { text: String, tick: String }
const named = (key: string, values: readonly bigint[]): ChartSeries => ({ key, name: key, values })

/** The same numbers each time, of every size up to 80 bits. */
function* figures(count: number): Generator<bigint> {
  let state = 88_172_645_463_325_252n
  for (let index = 0; index < count; index += 1) {
    state ^= (state << 13n) & ((1n << 64n) - 1n)
    state ^= state >> 7n
    state ^= (state << 17n) & ((1n << 64n) - 1n)
    yield (state >> BigInt(index % 64)) << (index % 9 === 0 ? 16n : 0n)
  }
}

describe('the axis of figures', () => {
  it('is zero-based and reaches a figure of any size with 2 to 6 round lines', () => {
    for (const largest of [...figures(200), 0n, 1n, 3n, 2n ** 53n + 1n]) {
      const { ticks, placeOf } = valueAxis(largest, measure)
      const [units, texts] = [ticks.map((tick) => tick.units), ticks.map(({ text }) => text)]
      expect(ticks.length >= (largest === 0n ? 1 : 2) && ticks.length <= 6).toBe(true)
      expect(units[0]).toBe(0n)
      expect((units.at(-1) ?? 0n) >= largest).toBe(true)
      expect(texts.every((text) => /^(0|[1-9]\d?0*)$/.test(text))).toBe(true)
      expect(placeOf(largest) <= 1 && placeOf(largest) >= (largest === 0n ? 0 : 0.39)).toBe(true)
    }
  })

  it('tells figures apart that a double does not', () => {
    const { ticks } = valueAxis(10n ** 30n, measure)
    expect(ticks.map(({ units }) => units)).toEqual([0n, 2n, 4n, 6n, 8n, 10n].map((lead) => lead * 10n ** 29n))
  })
})

describe('the axis of time', () => {
  it.each([1, 2, 24, 45, 46, 60, 366])('puts %d points beside each other, the earliest at the left', (points) => {
    const axis = timeAxis(points, 600)
    const places = Array.from({ length: points }, (_, index) => axis.centerOf(index))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places.every((x) => x >= 0 && x <= 600)).toBe(true)
    places.forEach((x, index) => expect(axis.nearestTo(x)).toBe(index))
    expect(axis.nearestTo(-50)).toBe(0)
    expect(axis.nearestTo(5000)).toBe(points - 1)
  })

  it('names the newest point always, and no two over each other, with larger text fewer', () => {
    const labels = Array.from({ length: 30 }, (_, index) => `Nov ${index + 1}`)
    const [normal, large] = [namedPoints(labels, 20, 6), namedPoints(labels, 20, 12)]
    expect(normal.at(-1)).toBe(29)
    expect(large.at(-1)).toBe(29)
    expect(large.length).toBeLessThan(normal.length)
    expect(namedPoints([], 20, 6)).toEqual([])
  })

  it('leaves room before the newest name, which ends with the chart', () => {
    const labels = Array.from({ length: 30 }, () => 'Nov 28')
    const [step, glyph] = [7.5, 6.6]
    const [before = 0, last = 0] = namedPoints(labels, step, glyph).slice(-2)
    const width = 6 * glyph
    const startOfLast = labels.length * step - width
    const endOfOneBefore = (before + 0.5) * step + width / 2
    expect(last).toBe(29)
    expect(startOfLast - endOfOneBefore).toBeGreaterThanOrEqual(glyph)
  })
})

describe('series', () => {
  it('are six and all others of twenty, with nothing lost', () => {
    const all = Array.from({ length: 20 }, (_, place) => named(`C${place}`, [BigInt(place), 2n ** 60n * BigInt(place)]))
    const top = topSeries(all, 'Other')
    expect(top).toHaveLength(MOST_SERIES + 1)
    expect(top[0]?.key).toBe('C19')
    expect(top.at(-1)).toMatchObject({ key: OTHER, name: 'Other' })
    expect(totalsOf(top, 2)).toEqual(totalsOf(all, 2))
  })

  it('without money are left out, unless none has any', () => {
    const [some, none] = [named('USDC', [1n]), named('ETH', [0n])]
    expect(topSeries([none, some], 'Other')).toEqual([some])
    expect(topSeries([none], 'Other')).toEqual([none])
    expect(topSeries([], 'Other')).toEqual([])
  })

  it('have a highest point, the newest of equal ones, and none where nothing is', () => {
    expect(highestOf([1n, 3n, 3n])).toBe(2)
    expect(highestOf([0n, 0n])).toBe(-1)
    expect(highestOf([])).toBe(-1)
  })
})

describe('shares', () => {
  const percent = new Intl.NumberFormat('en', { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 })

  it('are cut to a tenth of a per cent, and never nothing for something', () => {
    expect(shareText(612n, 1000n, percent)).toBe('61.2%')
    expect(shareText(6129n, 10_000n, percent)).toBe('61.2%')
    expect(shareText(1n, 10n ** 20n, percent)).toBe('<0.1%')
    expect(shareText(0n, 10n, percent)).toBe('0.0%')
    expect(shareText(0n, 0n, percent)).toBe('0.0%')
    expect(shareText(7n, 7n, percent)).toBe('100.0%')
  })

  it('fill the bar exactly, each wide enough to be pressed', () => {
    const values = [10n ** 24n, 5n, 0n, 10n ** 23n]
    const pieces = piecesOf(values)
    expect(pieces.reduce((sum, { size }) => sum + size, 0)).toBeCloseTo(100)
    expect(pieces.map(({ size }) => size > 0.5)).toEqual([true, true, false, true])
    expect(totalOf(piecesOf([]).map(() => 1n))).toBe(0n)
  })
})

describe('colours of the server', () => {
  // screens.md 1.5; a screen rounds the last digit of a channel.
  it.each([
    ['#F7931A', '#d77d00'],
    ['#88bf4d', '#6da22d'],
    ['#FFD700', '#ad9100'],
    ['#84cc16', '#67a300'],
  ])('%s is darkened to about %s on light', (asked, wanted) => {
    const { light = '' } = guarded(asked) ?? {}
    for (const at of [1, 3, 5]) {
      const [one, other] = [light, wanted].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16))
      expect(Math.abs((one ?? 0) - (other ?? 255))).toBeLessThanOrEqual(2)
    }
  })

  it.each(['#627EEA', '#C23631', '#0052FF', '#227fd2', '#8247E5', '#3b82f6'])('%s passes as it is', (color) => {
    expect(guarded(color)).toEqual({ light: color, dark: color })
  })

  it.each(['#000000', '#ffffff', '#10120e', '#ff00ff', '#00ff00', '#14F195'])('%s is seen in both themes', (color) => {
    const { light = '', dark = '' } = guarded(color) ?? {}
    expect(contrast(light, '#ffffff')).toBeGreaterThanOrEqual(3)
    expect(contrast(dark, '#10120e')).toBeGreaterThanOrEqual(3)
  })

  it.each(['', 'red', '#fff', 'url(#x)', '#12345g'])('%s is none', (color) => {
    expect(guarded(color)).toBeUndefined()
  })
})

describe('the colours of series', () => {
  it('are the server’s, each once, and the palette’s where it has none', () => {
    const grey = '#8a94a6'
    const series = [
      { key: 'USDC', color: '#227fd2' },
      { key: 'A', color: grey },
      { key: 'B', color: grey },
      { key: 'C' },
    ]
    expect(paintsOf([...series, { key: OTHER }])).toEqual([
      'light-dark(#227fd2, #227fd2)',
      `light-dark(${guarded(grey)?.light}, ${grey})`,
      'var(--chart-3)',
      'var(--chart-4)',
      'var(--chart-other)',
    ])
  })
})

describe('the keys of a chart', () => {
  const extent = { points: 5, series: 2 }
  const after = (keys: readonly string[], from?: Parameters<typeof readingAfter>[1]) =>
    keys.reduce((reading, key) => readingAfter(key, reading, extent) ?? reading, from)

  it('open it at the newest point and stay within it', () => {
    expect(after(['ArrowLeft'])).toEqual({ point: 4, series: undefined })
    expect(after(['ArrowLeft', 'ArrowLeft', 'ArrowRight', 'ArrowRight', 'ArrowRight'])?.point).toBe(4)
    expect(after(['Home'])?.point).toBe(0)
    expect(after(['Home', 'ArrowLeft'])?.point).toBe(0)
    expect(after(['Home', 'End'])?.point).toBe(4)
  })

  it('go through the sum and each series, and around', () => {
    const series = (keys: readonly string[]) => after(['End', ...keys])?.series
    expect([series(['ArrowDown']), series(['ArrowDown', 'ArrowDown'])]).toEqual([0, 1])
    expect(series(['ArrowDown', 'ArrowDown', 'ArrowDown'])).toBeUndefined()
    expect(series(['ArrowUp'])).toBe(1)
    expect(readingAfter('ArrowDown', { point: 0, series: undefined }, { points: 5, series: 1 })?.series).toBeUndefined()
  })

  it('leave all other keys to the page, and do nothing in an empty chart', () => {
    expect(readingAfter('a', undefined, extent)).toBeUndefined()
    expect(readingAfter('Tab', undefined, extent)).toBeUndefined()
    expect(readingAfter('Home', undefined, { points: 0, series: 0 })).toBeUndefined()
  })
})

describe('a legend', () => {
  const keys = ['a', 'b', 'c']

  it('hides and shows one, and never all', () => {
    const one = hiddenAfterPress(new Set(), keys, 'a')
    expect([...one]).toEqual(['a'])
    expect([...hiddenAfterPress(one, keys, 'a')]).toEqual([])
    expect([...hiddenAfterPress(new Set(['a', 'b']), keys, 'c')]).toEqual([])
  })

  it('shows one alone at a double press, and all again at another', () => {
    const alone = hiddenAfterDoublePress(new Set(), keys, 'b')
    expect([...alone]).toEqual(['a', 'c'])
    expect([...hiddenAfterDoublePress(alone, keys, 'b')]).toEqual([])
  })
})
