import { describe, expect, it } from 'vitest'

import { brandOf, contrast } from './brand.ts'
import { brandStyle, inlineHash, TOKENS } from './style.ts'

/** The worst colour reaches 4.58 (screens.md 1.2), so text on a brand is always AA. */
const WORST = 4.58

describe('brand', () => {
  it('puts readable text on every colour', () => {
    for (let colour = 0; colour < 0x1000; colour++) {
      const doubled = colour.toString(16).padStart(3, '0').replaceAll(/./g, '$&$&')
      const { fill, ink } = brandOf(`#${doubled}`)
      expect(contrast(fill, ink)).toBeGreaterThanOrEqual(WORST)
    }
  })

  it('gives an edge where the fill fades into the page', () => {
    expect(brandOf('#caff54').edge).toEqual({ light: true, dark: false })
    expect(brandOf('#000000')).toEqual({ fill: '#000000', ink: '#ffffff', edge: { light: false, dark: true } })
    expect(brandOf('#4b7d87').edge).toEqual({ light: false, dark: false })
  })

  it('falls back to the default for what is not a colour', () => {
    expect(brandStyle('red;}body{display:none}')).toBe(brandStyle('#caff54'))
  })
})

describe('inlineHash', () => {
  it('names a style as a Content-Security-Policy does', () => {
    expect(inlineHash('')).toBe("'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='")
  })
})

describe('tokens', () => {
  const pairs: [keyof typeof TOKENS, keyof typeof TOKENS, number][] = [
    ['text', 'surface', 7],
    ['text', 'bg', 7],
    ['text', 'sunken', 7],
    ['muted', 'surface', 4.5],
    ['muted', 'bg', 4.5],
    ['muted', 'sunken', 4.5],
    ['link', 'surface', 4.5],
    ['control', 'surface', 3],
    ['focus', 'surface', 3],
    ['focus', 'bg', 3],
    ...(['neutral', 'info', 'progress', 'success', 'warning', 'danger'] as const).flatMap(
      (tone): [keyof typeof TOKENS, keyof typeof TOKENS, number][] => [
        [`${tone}-text`, `${tone}-tint`, 4.5],
        [`${tone}-text`, 'surface', 4.5],
      ],
    ),
  ]

  for (const [front, back, least] of pairs) {
    it(`reads ${front} on ${back}`, () => {
      for (const theme of [0, 1] as const) {
        expect(contrast(TOKENS[front][theme], TOKENS[back][theme])).toBeGreaterThanOrEqual(least)
      }
    })
  }
})
