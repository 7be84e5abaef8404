import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'

import { loadCode } from '../../lib/loading/server-reachable.ts'

/** The white edge a reader needs, in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4

/** A value as a QR code, black on white in both themes. The value always stands beside it as text too. */
export function QRCode({ value, label, size = 176 }: { value: string; label: string; size?: number }) {
  const [code, setCode] = useState<{ side: number; path: string }>()

  useEffect(() => {
    let isCurrent = true
    // Loaded when the first code is drawn: most screens have none. Without it the text beside it says the same.
    void loadCode(() => import('qr')).then((qr) => {
      if (isCurrent && typeof qr === 'object')
        setCode(drawRows(qr.encodeQR(value, 'raw', { ecc: 'medium', border: QUIET_ZONE })))
    })
    return () => {
      isCurrent = false
    }
  }, [value])

  return (
    <svg
      role="img"
      aria-label={t`QR code for ${label}`}
      width={size}
      height={size}
      viewBox={`0 0 ${code?.side ?? 1} ${code?.side ?? 1}`}
      shapeRendering="crispEdges"
      className="box-content rounded-control border border-border bg-qr-paper text-qr-ink"
    >
      {code !== undefined && <path d={code.path} fill="currentColor" />}
    </svg>
  )
}

/** Draws each run of dark modules of a row as one rectangle. */
function drawRows(rows: readonly (readonly boolean[])[]): { side: number; path: string } {
  let path = ''
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x++) {
      if (row[x] !== true) continue
      const from = x
      while (row[x + 1] === true) x++
      path += `M${from} ${y}h${x - from + 1}v1H${from}z`
    }
  }
  return { side: rows.length, path }
}
