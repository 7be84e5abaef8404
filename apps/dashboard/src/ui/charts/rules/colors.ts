/** A colour in each theme. */
export type ThemedColor = { readonly light: string; readonly dark: string }

/** What marks are drawn on: `--surface` of the tokens. */
const SURFACES: ThemedColor = { light: '#ffffff', dark: '#10120e' }

/** WCAG 1.4.11 asks for 3 of what is no text; beside it is room for what screens round. */
const LEAST_RATIO = 3.05

const HEX = /^#[0-9a-f]{6}$/i

type Triple = readonly [number, number, number]

/**
 * Returns a colour of the server's as it may be drawn: one below 3:1 on the surface is moved in lightness until it reaches
 * it. `undefined` for what is no colour.
 */
export function guarded(color: string): ThemedColor | undefined {
  if (!HEX.test(color)) return undefined
  const seen = known.get(color)
  if (seen !== undefined) return seen
  const made = { light: movedUntilSeen(color, SURFACES.light, -1), dark: movedUntilSeen(color, SURFACES.dark, 1) }
  known.set(color, made)
  return made
}

/** A server has a dozen colours, which every drawing asks for. */
const known = new Map<string, ThemedColor>()

/** The contrast of two colours (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** So fine that two neighbours look the same. */
const STEP = 0.005

/** So often the room for a colour's strength is halved. */
const HALVINGS = 10

function movedUntilSeen(color: string, surface: string, direction: 1 | -1): string {
  if (contrast(color, surface) >= LEAST_RATIO) return color
  const [lightness, a, b] = toOklab(color)
  for (let moved = lightness; moved >= 0 && moved <= 1; moved += direction * STEP) {
    const next = shown([moved, a, b])
    if (contrast(next, surface) >= LEAST_RATIO) return next
  }
  return direction === 1 ? '#ffffff' : '#000000'
}

function luminance(hex: string): number {
  const [red, green, blue] = toLinear(hex)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function toLinear(hex: string): Triple {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

/** Björn Ottosson, A perceptual color space for image processing. */
function toOklab(hex: string): Triple {
  const [r, g, b] = toLinear(hex)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

/** The colour of a screen with this lightness and hue that is as strong as can be, at most as strong as asked for. */
function shown([lightness, a, b]: Triple): string {
  let [weakest, strongest] = [0, 1]
  const at = (strength: number): Triple => [lightness, a * strength, b * strength]
  if (isShown(toChannels(at(1)))) return toHex(toChannels(at(1)))
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middle = (weakest + strongest) / 2
    if (isShown(toChannels(at(middle)))) weakest = middle
    else strongest = middle
  }
  return toHex(toChannels(at(weakest)))
}

function isShown(channels: Triple): boolean {
  return channels.every((channel) => channel >= -1e-6 && channel <= 1 + 1e-6)
}

function toHex(channels: Triple): string {
  return `#${channels.map(toByte).join('')}`
}

/** The amounts of red, green and blue light; what no screen can show is outside of 0 to 1. */
function toChannels([lightness, a, b]: Triple): Triple {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

function toByte(linear: number): string {
  const value = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055
  return Math.round(Math.max(0, Math.min(1, value)) * 255)
    .toString(16)
    .padStart(2, '0')
}
