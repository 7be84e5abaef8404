/** A field that a call changed; absent where there was, or is, none. */
export type Difference = {
  readonly name: string
  readonly before: string | undefined
  readonly after: string | undefined
}

type Side = Readonly<Record<string, unknown>> | null

/** Returns the fields that an entry says were changed; `undefined` for what is no change of fields. */
export function differences(metadata: string): Difference[] | undefined {
  const change = parsed(metadata)
  if (change === undefined) return undefined
  const several = Array.isArray(change.changes) ? change.changes.filter(isRecord) : [change]
  return several.flatMap((one, index) => {
    const [before, after] = [sideOf(one.before), sideOf(one.after)]
    const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    return names.map((name) => ({
      name: several.length === 1 ? name : `${index + 1}. ${name}`,
      before: textIn(before, name),
      after: textIn(after, name),
    }))
  })
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sideOf(value: unknown): Side {
  return isRecord(value) ? value : null
}

function textIn(side: Side, name: string): string | undefined {
  const value = side?.[name]
  if (value === undefined || value === null) return undefined
  // Scopes, addresses and projects read as words; what has parts of its own stays as it was written.
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) {
    return value.length === 0 ? undefined : value.map(String).join(', ')
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
}
