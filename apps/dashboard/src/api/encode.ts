/**
 * Fills the `{name}` parts of a route's path: of several paths the one that takes the most of what is given.
 *
 * @throws Error when every path needs a value that is missing
 */
export function fillPath(paths: readonly [string, ...string[]], params: unknown): string {
  const values = entriesOf(params)
  const isPresent = (name: string) => values[name] !== undefined && values[name] !== null && values[name] !== ''
  const [path = paths[0]] = paths
    .filter((one) => namesIn(one).every(isPresent))
    .toSorted((a, b) => namesIn(b).length - namesIn(a).length)
  return path.replace(PART, (_whole, name: string) => {
    if (!isPresent(name)) throw new Error(`The path ${path} needs ${name}`)
    return encodeURIComponent(asText(values[name]))
  })
}

const PART = /\{(\w+)\}/g

function namesIn(path: string): string[] {
  return [...path.matchAll(PART)].map(([, name = '']) => name)
}

/** Writes query values: arrays as repeated keys, absent ones left out. */
export function encodeQuery(query: unknown): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(entriesOf(query))) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') search.append(name, asText(one))
    }
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

/** Writes a body as JSON, or as a multipart form with `name[]` arrays as soon as it holds a file. */
export function encodeBody(body: unknown): { body?: string | FormData; contentType?: string } {
  if (body === undefined) return {}
  const values = entriesOf(body)
  const hasFile = Object.values(values).some((value) => value instanceof Blob)
  if (!hasFile) return { body: JSON.stringify(body), contentType: 'application/json' }

  const form = new FormData()
  for (const [name, value] of Object.entries(values)) {
    if (Array.isArray(value)) for (const one of value) append(form, `${name}[]`, one)
    else append(form, name, value)
  }
  // Without a content type of ours the browser adds the one that carries the form's boundary.
  return { body: form }
}

function append(form: FormData, name: string, value: unknown): void {
  if (value === undefined) return
  if (value instanceof Blob) form.append(name, value)
  else form.append(name, value === null ? '' : asText(value))
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value
  // Dates become RFC 3339 text, numbers and booleans their own digits and words.
  const text = JSON.stringify(value)
  return text.startsWith('"') ? text.slice(1, -1) : text
}

function entriesOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
