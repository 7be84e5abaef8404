import { t } from '@lingui/core/macro'

import { clockTime } from '../../lib/time/time.ts'

export type AsOfTextProps = {
  readonly asOf: Date | undefined
  /** How much of the past is counted, in per cent, while an upgraded install still counts it. */
  readonly counted: number | null
}

/** When figures were true, and whether some of the past is still missing in them. */
export function AsOfText({ asOf, counted }: AsOfTextProps) {
  if (asOf === undefined) return null
  const time = clockTime(asOf, new Date())
  if (counted !== null && counted < 100) return t`as of ${time} · counting what was paid before, ${counted}%`
  return t`as of ${time}`
}
