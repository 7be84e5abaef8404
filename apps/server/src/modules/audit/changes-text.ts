import type { Change } from '../../context.ts'
import { redact } from '../../log/log.ts'

/** A longer value is shown as changed, without its text. */
const LONGEST_VALUE = 1_000
/** The most fields of one side; no form has more. */
const MOST_FIELDS = 60
/** The most changes of one call. */
const MOST_CHANGES = 20

/** A signing device, as an entry names it. */
export type AuditedDevice = { readonly id: number; readonly name: string }

type Facts = Readonly<Record<string, unknown>>

/**
 * Returns what a call changed as JSON text: the fields that differ, before and after, without secrets; null when the call
 * recorded no change. Several changes are a list. The signing device that called stands beside them, because its name outlives
 * its row in the log.
 */
export function changesText(changes: readonly Change[], device: AuditedDevice | null = null): string | null {
  const sides = changes.flatMap(({ before, after }) =>
    before === null && after === null ? [] : [differenceOf(before as Facts | null, after as Facts | null)],
  )
  if (sides.length === 0 && device === null) return null
  const changed = sides.length > 1 ? { changes: sides.slice(0, MOST_CHANGES) } : sides[0]
  return JSON.stringify(redact({ ...changed, ...(device && { device }) }))
}

/** Reads the signing device of a stored entry; null when another caller made it. */
export function deviceIn(changes: string | null): AuditedDevice | null {
  if (changes === null || !changes.includes('"device":{')) return null
  const { device } = JSON.parse(changes) as { readonly device?: AuditedDevice }
  return typeof device?.id === 'number' && typeof device.name === 'string' ? { id: device.id, name: device.name } : null
}

function differenceOf(before: Facts | null, after: Facts | null): { before: Facts | null; after: Facts | null } {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    .filter((name) => textOf(before?.[name]) !== textOf(after?.[name]))
    .slice(0, MOST_FIELDS)
  const pick = (side: Facts | null) =>
    side && Object.fromEntries(names.filter((name) => name in side).map((name) => [name, shortened(side[name])]))
  return { before: pick(before), after: pick(after) }
}

function shortened(value: unknown): unknown {
  const { length } = textOf(value)
  return length > LONGEST_VALUE ? `… (${length} characters)` : value
}

function textOf(value: unknown): string {
  if (Buffer.isBuffer(value)) return value.toString('base64')
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? String(item) : item)) ?? ''
}
