import { createHash } from 'node:crypto'

import { fail } from '@kassa/contract/kit/refusal.ts'

/** Longest side of an image we decode, and of one we keep, in pixels (api.md 1.8). */
const MAX_SIDE = 4096
const KEPT_SIDE = 512
/** What a logo may be by its content; SVG can carry script and is refused. */
const FORMATS = new Set(['png', 'jpeg', 'webp'])

export type Logo = { readonly name: string; readonly bytes: Buffer }

/** Decodes an image and encodes it anew as PNG, so that nothing of the file but its pixels survives. @throws IMAGE_INVALID */
export async function encodeLogo(file: Blob): Promise<Logo> {
  // Loaded on first use: the decoder is native code that most starts of the server never need.
  const { default: sharp } = await import('sharp')
  const content = Buffer.from(await file.arrayBuffer())
  try {
    const image = sharp(content, { limitInputPixels: MAX_SIDE * MAX_SIDE })
    const { format, width, height } = await image.metadata()
    if (!FORMATS.has(format) || width > MAX_SIDE || height > MAX_SIDE) return fail('IMAGE_INVALID')
    const bytes = await image
      .rotate()
      .resize(KEPT_SIDE, KEPT_SIDE, { fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer()
    return { name: `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.png`, bytes }
  } catch (cause) {
    return fail('IMAGE_INVALID', { cause })
  }
}
