import { decodeQR } from 'qr/decode.js'
import { describe, expect, it } from 'vitest'

import { qrCode } from './qr.ts'

/** Paints the path the way a browser would and reads it the way a scanner would. */
function scan(svg: string): string {
  const size = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1])
  const scale = 4
  const width = size * scale
  const image = new Uint8Array(width * width * 4).fill(255)
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++) {
      const start = (row * width + Number(x) * scale) * 4
      for (let at = 0; at < Number(length) * scale; at++) image.fill(0, start + at * 4, start + at * 4 + 3)
    }
  }
  return decodeQR({ width, height: width, data: image })
}

describe('qrCode', () => {
  it('reads back as what it holds', () => {
    for (const text of [
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      'BITCOIN:BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ?amount=0.00071&label=Acme',
    ]) {
      expect(scan(qrCode(text, 'QR').text)).toBe(text)
    }
  })

  it('keeps four empty modules around', () => {
    const svg = qrCode('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'QR').text
    const size = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1])
    const runs = [...svg.matchAll(/M(\d+) (\d+)h(\d+)v1/g)].map(([, x, y, n]) => [Number(x), Number(y), Number(n)])
    expect(Math.min(...runs.map(([x = 0]) => x))).toBe(4)
    expect(Math.min(...runs.map(([, y = 0]) => y))).toBe(4)
    expect(Math.max(...runs.map(([x = 0, , n = 0]) => x + n))).toBe(size - 4)
  })
})
