import { createHash } from 'node:crypto'

import { fail } from '@kassa/contract/kit/refusal.ts'
import type { Sharp } from 'sharp'

/** Longest side of an image we decode, in pixels (api.md 1.8). */
const MAX_SIDE = 4096
/** Longest sides of an image we keep, the best first; 64 pixels are what a sharp screen draws of it. */
const KEPT_SIDES = [512, 256, 128, 96, 64] as const
/** What a logo may weigh: the payment page has room for no more and would show initials (screens.md 5.3). */
const KEPT_BYTES = 8 * 1024
/** What a logo may be by its content; SVG can carry script and is refused. */
const FORMATS = new Set(['png', 'jpeg', 'webp'])

export type Logo = { readonly name: string; readonly bytes: Buffer }

/**
 * Decodes an image and encodes it anew as PNG, so that nothing of the file but its pixels survives, as large as the
 * payment page can carry. @throws IMAGE_INVALID
 */
export async function encodeLogo(file: Blob): Promise<Logo> {
  // Loaded on first use: the decoder is native code that most starts of the server never need.
  const { default: sharp } = await import('sharp')
  const content = Buffer.from(await file.arrayBuffer())
  try {
    const image = sharp(content, { limitInputPixels: MAX_SIDE * MAX_SIDE })
    const { format, width, height } = await image.metadata()
    if (!FORMATS.has(format) || width > MAX_SIDE || height > MAX_SIDE) return fail('IMAGE_INVALID')
    const bytes = await smallEnough(image.rotate())
    return { name: `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.png`, bytes }
  } catch (cause) {
    return fail('IMAGE_INVALID', { cause })
  }
}

/** All colours where they fit, else a palette, else smaller; the smallest is kept whatever it weighs. */
async function smallEnough(image: Sharp): Promise<Buffer> {
  let bytes = Buffer.alloc(0)
  for (const side of KEPT_SIDES) {
    const resized = image.clone().resize(side, side, { fit: 'inside', withoutEnlargement: true })
    for (const palette of [false, true]) {
      bytes = await resized.clone().png({ palette }).toBuffer()
      if (bytes.length <= KEPT_BYTES) return bytes
    }
  }
  return bytes
}
