import type { Change } from '../../context.ts'
import { redact } from '../../log/log.ts'

/** A longer value is shown as changed, without its text. */
const LONGEST_VALUE = 1_000
/** The most fields of one side; no form has more. */
const MOST_FIELDS = 60
/** The most changes of one call. */
const MOST_CHANGES = 20

type Facts = Readonly<Record<string, unknown>>

/**
 * Returns what a call changed as JSON text: the fields that differ, before and after, without secrets; null when the call
 * recorded no change. Several changes are a list.
 */
export function changesText(changes: readonly Change[]): string | null {
  const sides = changes.flatMap(({ before, after }) =>
    before === null && after === null ? [] : [differenceOf(before as Facts | null, after as Facts | null)],
  )
  if (sides.length === 0) return null
  return JSON.stringify(redact(sides.length === 1 ? sides[0] : { changes: sides.slice(0, MOST_CHANGES) }))
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
