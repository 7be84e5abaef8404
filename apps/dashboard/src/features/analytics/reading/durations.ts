import { t } from '@lingui/core/macro'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Returns a length of time in its two largest units: 42 s, 3 min 20 s, 2 h 5 min. */
export function durationText(seconds: number): string {
  const [days, hours] = [Math.floor(seconds / DAY), Math.floor((seconds % DAY) / HOUR)]
  const [minutes, rest] = [Math.floor((seconds % HOUR) / MINUTE), Math.round(seconds % MINUTE)]
  if (days > 0) return hours === 0 ? t`${days} d` : t`${days} d ${hours} h`
  if (hours > 0) return minutes === 0 ? t`${hours} h` : t`${hours} h ${minutes} min`
  if (minutes > 0) return rest === 0 ? t`${minutes} min` : t`${minutes} min ${rest} s`
  return t`${rest} s`
}
