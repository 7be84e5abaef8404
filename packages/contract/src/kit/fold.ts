/**
 * Input keys match case-insensitively and with or without underscores (api.md 1.2): `customerId`, `customerID` and
 * `customer_id` are one field. Folding renames what arrived to the names of the schema before it is decoded.
 */
import type * as z from 'zod/mini'

type Definition = {
  readonly type: string
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>
  readonly innerType?: z.ZodMiniType
  readonly element?: z.ZodMiniType
  readonly in?: z.ZodMiniType
  readonly options?: readonly z.ZodMiniType[]
  /** A loose object keeps what it does not name. */
  readonly catchall?: z.ZodMiniType
}

export type Folded = {
  readonly value: unknown
  /** Keys that no field of the schema matches, as they were sent. */
  readonly unknown: readonly string[]
  /** Keys that name a field a second time. */
  readonly duplicate: readonly string[]
}

/** The form in which keys are compared. */
export function foldKey(key: string): string {
  return key.toLowerCase().replaceAll('_', '').replace(/\[\]$/, '')
}

/** Renames the keys of `value` to those of the schema; with `fromText`, text becomes numbers, booleans and lists. */
export function fold(schema: z.ZodMiniType, value: unknown, { fromText = false } = {}): Folded {
  const unknown: string[] = []
  const duplicate: string[] = []
  return { value: visit(schema, value, '', { fromText, unknown, duplicate }), unknown, duplicate }
}

type Visit = { readonly fromText: boolean; readonly unknown: string[]; readonly duplicate: string[] }

function visit(schema: z.ZodMiniType, value: unknown, path: string, state: Visit): unknown {
  const definition = wrapped(schema)
  if (definition.type === 'object' && isRecord(value)) return visitObject(definition, value, path, state)
  if (definition.type === 'array' && definition.element) {
    const element = definition.element
    const items = state.fromText && typeof value === 'string' ? splitList(value) : value
    return Array.isArray(items) ? items.map((item) => visit(element, item, path, state)) : items
  }
  return state.fromText && typeof value === 'string' ? fromText(definition.type, value) : value
}

function visitObject(
  { shape = {}, catchall }: Definition,
  value: Record<string, unknown>,
  path: string,
  state: Visit,
): Record<string, unknown> {
  const names = new Map(Object.keys(shape).map((name) => [foldKey(name), name]))
  const folded: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    const name = names.get(foldKey(key))
    const field = name === undefined ? undefined : shape[name]
    if (name === undefined || field === undefined) {
      if (catchall && key !== '__proto__') folded[key] = item
      else state.unknown.push(path + key)
    } else if (name in folded) state.duplicate.push(path + key)
    else folded[name] = visit(field, item, `${path}${name}.`, state)
  }
  return folded
}

/** The first definition below wrappers such as optional, default, nullable and pipe. */
function wrapped(schema: z.ZodMiniType): Definition {
  const definition = schema._zod.def as unknown as Definition
  if (definition.innerType) return wrapped(definition.innerType)
  if (definition.in) return wrapped(definition.in)
  if (definition.type === 'union') {
    const list = definition.options?.map(wrapped).find((option) => option.type === 'array' || option.type === 'object')
    if (list) return list
  }
  return definition
}

function fromText(type: string, text: string): unknown {
  if (type === 'number' || type === 'int') return numberFromText(text.trim())
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

/** A form has no null: an empty text means null, which clears a nullable field. */
function numberFromText(text: string): number | string | null {
  if (text === '') return null
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

function splitList(text: string): string[] {
  return text === '' ? [] : text.split(',')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
