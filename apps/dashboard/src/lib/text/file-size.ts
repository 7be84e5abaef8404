import { i18n } from '@lingui/core'

/** Returns how large a file is, as file managers say it: 820 bytes, 14.2 kB, 1 MB, 3.4 GB. */
export function fileSize(bytes: number): string {
  if (bytes < 1000) return inUnit(bytes, 'byte', 'long')
  if (bytes < 1_000_000) return inUnit(bytes / 1000, 'kilobyte')
  return bytes < 1_000_000_000 ? inUnit(bytes / 1_000_000, 'megabyte') : inUnit(bytes / 1_000_000_000, 'gigabyte')
}

function inUnit(value: number, unit: string, unitDisplay: 'short' | 'long' = 'short'): string {
  return new Intl.NumberFormat(i18n.locale, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 }).format(
    value,
  )
}
