/**
 * Serves the icons of currencies and networks (api.md 8.5): a disc in the colour of the code, with its letters. They are drawn
 * here, so that no picture is anybody else's and a new currency has one from its first day.
 */
import { crc32, deflateSync } from 'node:zlib'

import { SERIES_COLOURS } from '@kassa/contract/analytics/groups.ts'
import type { FastifyInstance } from 'fastify'

import type { Context } from '../context.ts'
import { remembered } from '../memory.ts'

/** Pixels of a side: sharp at 24 to 32 on a dense screen. */
const SIDE = 64

const CODE = /^([A-Z]{2,12})\.png$/

/** The pictures of the codes there are; a few kilobytes in all. */
const icons = remembered(() => new Map<string, Buffer>())

/** Mounts `/images/icons/{CODE}.png`. */
export function mountIcons(app: FastifyInstance, ctx: Context): void {
  app.get<{ Params: { name: string } }>('/images/icons/:name', async (request, reply) => {
    const code = CODE.exec(request.params.name)?.[1] ?? ''
    const colour = Object.hasOwn(SERIES_COLOURS, code) ? SERIES_COLOURS[code] : undefined
    if (colour === undefined)
      return reply.code(404).header('content-type', 'text/plain').send('There is nothing at this address.')
    const known = icons(ctx)
    const image = known.get(code) ?? drawIcon(code, colour)
    known.set(code, image)
    return reply
      .headers({
        'content-type': 'image/png',
        'cache-control': 'public, max-age=86400',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
      })
      .send(image)
  })
}

/** Letters of five columns and seven rows, a bit for each pixel, the leftmost column first. */
const LETTERS: Readonly<Record<string, readonly number[]>> = {
  A: [126, 9, 9, 126, 0],
  B: [127, 73, 73, 54, 0],
  C: [62, 65, 65, 34, 0],
  D: [127, 65, 65, 62, 0],
  E: [127, 73, 73, 65, 0],
  F: [127, 9, 9, 1, 0],
  G: [62, 65, 73, 58, 0],
  H: [127, 8, 8, 127, 0],
  I: [0, 65, 127, 65, 0],
  J: [32, 64, 64, 63, 0],
  K: [127, 8, 20, 99, 0],
  L: [127, 64, 64, 64, 0],
  M: [127, 2, 12, 2, 127],
  N: [127, 6, 24, 127, 0],
  O: [62, 65, 65, 62, 0],
  P: [127, 9, 9, 6, 0],
  Q: [62, 65, 97, 126, 0],
  R: [127, 9, 25, 102, 0],
  S: [38, 73, 73, 50, 0],
  T: [1, 1, 127, 1, 1],
  U: [63, 64, 64, 63, 0],
  V: [31, 32, 64, 32, 31],
  W: [63, 64, 56, 64, 63],
  X: [99, 20, 8, 20, 99],
  Y: [3, 4, 120, 4, 3],
  Z: [97, 81, 73, 69, 67],
}

/** Letters that fit onto a disc. */
const MOST_LETTERS = 4

/** Draws the icon of a code as a PNG. */
function drawIcon(code: string, colour: string): Buffer {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  const ink = red * 0.299 + green * 0.587 + blue * 0.114 > 160 ? 0 : 255
  const text = textOf(code)
  const rows = Array.from({ length: SIDE }, (_, y) =>
    Buffer.from([
      0,
      ...Array.from({ length: SIDE }, (_, x) => {
        const isInk = text(x, y)
        const alpha = Math.round(255 * Math.min(1, Math.max(0, SIDE / 2 - Math.hypot(x - 31.5, y - 31.5))))
        return isInk ? [ink, ink, ink, 255] : [red, green, blue, alpha]
      }).flat(),
    ]),
  )
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIDE, 0)
  header.writeUInt32BE(SIDE, 4)
  // Eight bits each of red, green, blue and opacity.
  header.set([8, 6, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Whether a pixel belongs to the letters, in the middle of the disc. */
function textOf(code: string): (x: number, y: number) => boolean {
  const letters = Array.from(code.slice(0, MOST_LETTERS))
  const size = letters.length > 2 ? 2 : 4
  const [left, top] = [Math.round((SIDE - (letters.length * 6 - 1) * size) / 2), Math.round((SIDE - 7 * size) / 2)]
  return (x, y) => {
    const [column, row] = [Math.floor((x - left) / size), Math.floor((y - top) / size)]
    if (column < 0 || row < 0 || row > 6) return false
    const columns = LETTERS[letters[Math.floor(column / 6)] ?? '']
    return (((columns?.[column % 6] ?? 0) >> row) & 1) === 1
  }
}

/** A part of a PNG: length, name, content, checksum (RFC 2083, 3.2). */
function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(content.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
