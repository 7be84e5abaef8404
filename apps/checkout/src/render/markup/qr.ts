import encodeQR from 'qr'
import { html } from './html.ts'
import type { Html } from './html.ts'

/** ISO/IEC 18004 asks for four empty modules around the code. */
const QUIET_ZONE = 4

/** Draws a QR code (error correction M) as one path with a run per row: black on white in every theme, as scanners expect. */
export function qrCode(text: string, label: string): Html {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE })
  const size = rows.length
  return html`<svg
    class="qr"
    role="img"
    aria-label="${label}"
    viewBox="0 0 ${size} ${size}"
    shape-rendering="crispEdges"
  >
    <path fill="#fff" d="M0 0h${size}v${size}H0z" />
    <path d="${runs(rows)}" />
  </svg>`
}

/** Prints the dark runs of each row as `M x y h n v1 h-n z`. */
export function runs(rows: readonly (readonly boolean[])[]): string {
  let path = ''
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      if (row[x] !== true) continue
      const start = x
      while (row[x + 1] === true) x++
      const length = x - start + 1
      path += `M${start} ${y}h${length}v1h-${length}z`
    }
  })
  return path
}
