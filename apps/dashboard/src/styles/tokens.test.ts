// @vitest-environment node
import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

const CSS = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

/** Every `--name: value;` of the token file. */
const TOKENS = new Map([...CSS.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]))

type Theme = 'light' | 'dark'

function colour(name: string, theme: Theme): string {
  const value = TOKENS.get(name)
  if (value === undefined) throw new Error(`No token --${name}`)
  const pair = /^light-dark\((.+?),\s*(.+)\)$/.exec(value)
  const chosen = pair === null ? value : (pair[theme === 'light' ? 1 : 2] ?? '')
  const reference = /^var\(--([\w-]+)\)$/.exec(chosen)
  return reference === null ? chosen : colour(reference[1] ?? '', theme)
}

/** The relative luminance of WCAG 2.2. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function ratio(front: string, back: string, theme: Theme): number {
  const [high = 0, low = 0] = [luminance(colour(front, theme)), luminance(colour(back, theme))].toSorted(
    (a, b) => b - a,
  )
  return (high + 0.05) / (low + 0.05)
}

const TONES = ['neutral', 'info', 'progress', 'success', 'warning', 'danger']

/** WCAG 1.4.3: text; 1.4.11: edges of controls and what is not text. */
const TEXT_PAIRS: readonly (readonly [string, string])[] = [
  ...['bg', 'surface', 'raised', 'sunken', 'hover', 'selected'].flatMap(
    (back) =>
      [
        ['text', back],
        ['text-muted', back],
        ['text-strong-muted', back],
      ] as const,
  ),
  ...['bg', 'surface', 'raised'].map((back) => ['accent-text', back] as const),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['on-accent', 'accent-press'],
  ['on-danger', 'danger-fill'],
  ['on-danger', 'danger-hover'],
  ['on-danger', 'danger-press'],
  ['on-tooltip', 'tooltip'],
  ...TONES.map((tone) => [`${tone}-text`, `${tone}-tint`] as const),
  ...TONES.flatMap((tone) => ['surface', 'bg', 'raised'].map((back) => [`${tone}-text`, back] as const)),
]

const CHARTS = ['1', '2', '3', '4', '5', '6', 'other']

const EDGE_PAIRS: readonly (readonly [string, string])[] = [
  ...['bg', 'surface', 'raised'].flatMap((back) => [['border-control', back] as const, ['focus', back] as const]),
  ...TONES.map((tone) => [`${tone}-solid`, 'surface'] as const),
  ...CHARTS.flatMap((chart) => ['surface', 'bg'].map((back) => [`chart-${chart}`, back] as const)),
]

describe.each(['light', 'dark'] as const)('tokens in the %s theme', (theme) => {
  it.each(TEXT_PAIRS)('%s on %s reaches 4.5', (front, back) => {
    expect(ratio(front, back, theme)).toBeGreaterThanOrEqual(4.5)
  })

  it.each(EDGE_PAIRS)('%s on %s reaches 3', (front, back) => {
    expect(ratio(front, back, theme)).toBeGreaterThanOrEqual(3)
  })
})

describe('tokens', () => {
  it('gives the ratios the design names', () => {
    expect(ratio('on-accent', 'accent', 'light')).toBeCloseTo(16.09, 1)
    expect(ratio('text', 'surface', 'light')).toBeCloseTo(18.84, 1)
    expect(ratio('text-muted', 'surface', 'dark')).toBeCloseTo(8.19, 1)
  })
})
