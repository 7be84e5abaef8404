/** The specification's default brand colour. */
const DEFAULT_BRAND = '#caff54'

/** The card a button stands on, per theme (screens.md 1.3 `surface`). */
const SURFACE = { light: '#ffffff', dark: '#10120e' }

/** Below this a filled shape does not stand out from its ground (WCAG 1.4.11). */
const SHAPE_CONTRAST = 3

export type Brand = {
  readonly fill: string
  readonly ink: '#000000' | '#ffffff'
  readonly edge: { readonly light: boolean; readonly dark: boolean }
}

/** Turns a merchant's colour into a button's: black or white text, whichever reads better, and an edge where the fill fades into the page. */
export function brandOf(colour: string): Brand {
  const fill = /^#[0-9a-f]{6}$/i.test(colour) ? colour.toLowerCase() : DEFAULT_BRAND
  const ink = contrast('#000000', fill) >= contrast('#ffffff', fill) ? '#000000' : '#ffffff'
  return {
    fill,
    ink,
    edge: {
      light: contrast(fill, SURFACE.light) < SHAPE_CONTRAST,
      dark: contrast(fill, SURFACE.dark) < SHAPE_CONTRAST,
    },
  }
}

/** Computes the contrast ratio of two `#rrggbb` colours, 1 to 21 (WCAG 2.2, relative luminance). */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
