import { createHash } from 'node:crypto'

import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Sharp } from 'sharp'

/** Longest side of an image we decode, in pixels (api.md 1.8). */
const MAX_SIDE = 4096
/** Longest sides of a stored image, the best first; 64 pixels are what a sharp screen draws of it. */
const STORED_SIDES = [512, 256, 128, 96, 64] as const
/** The largest logo: the payment page has room for no more and would show initials (screens.md 5.3). */
const MAX_STORED_BYTES = 8 * 1024
/** What a logo may be by its content; SVG can carry script and is refused. */
const FORMATS = new Set(['png', 'jpeg', 'webp'])

/**
 * The picture that the dashboard sends for a new project and that means "none yet": its file, and the prefix of its name here.
 */
const PLACEHOLDER = 'c2d0f4ec41138999c506c2a8a9a6caaf6e7d28c4235c978351a4f7cda04ae732'
const PLACEHOLDER_PREFIX = 'placeholder-'

export type Logo = { readonly name: string; readonly bytes: Buffer }

/**
 * Decodes an image and encodes it again as PNG, as large as the payment page can carry, so that only the pixels of the file
 * survive. @throws IMAGE_INVALID
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
    const prefix = sha256(content) === PLACEHOLDER ? PLACEHOLDER_PREFIX : ''
    return { name: `${prefix}${sha256(bytes).slice(0, 32)}.png`, bytes }
  } catch (cause) {
    return fail('IMAGE_INVALID', { cause })
  }
}

/** All colours where they fit, else a palette, else smaller; the smallest is stored whatever its size. */
async function smallEnough(image: Sharp): Promise<Buffer> {
  let bytes = Buffer.alloc(0)
  for (const side of STORED_SIDES) {
    const resized = image.clone().resize(side, side, { fit: 'inside', withoutEnlargement: true })
    for (const palette of [false, true]) {
      bytes = await resized.clone().png({ palette }).toBuffer()
      if (bytes.length <= MAX_STORED_BYTES) return bytes
    }
  }
  return bytes
}

/** Whether a stored logo's path names a picture the merchant chose. */
export function hasOwnLogo(path: string): boolean {
  return path !== '' && !path.includes(`/${PLACEHOLDER_PREFIX}`)
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
