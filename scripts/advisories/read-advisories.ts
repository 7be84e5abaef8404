/** Reads advisories in the format of OSV, as files of one, of many, or a folder of such files. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A bound of a range; `0` is before every version. */
export type RangeEvent = { readonly introduced?: string; readonly fixed?: string; readonly last_affected?: string }

/** What one advisory says of one npm package. */
export type Advisory = {
  readonly id: string
  readonly aliases: readonly string[]
  readonly summary: string
  readonly packageName: string
  /** Versions named one by one. */
  readonly versions: readonly string[]
  readonly ranges: readonly (readonly RangeEvent[])[]
  /** Versions that fix it. */
  readonly fixed: readonly string[]
}

type Osv = {
  readonly id?: unknown
  readonly aliases?: readonly string[]
  readonly summary?: string
  readonly details?: string
  readonly withdrawn?: string
  readonly affected?: readonly {
    readonly package?: { readonly ecosystem?: string; readonly name?: string }
    readonly versions?: readonly string[]
    readonly ranges?: readonly { readonly type?: string; readonly events?: readonly RangeEvent[] }[]
  }[]
}

/**
 * Reads the advisories about npm packages of a file (one advisory, a list, `{ "vulns": […] }`, or one a line) or of every
 * `.json` and `.jsonl` in a folder; withdrawn ones are left out. @throws Error with a sentence that names what cannot be read
 */
export function readAdvisories(path: string): Advisory[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    const names = readdirSync(path).filter((name) => /\.jsonl?$/.test(name))
    if (names.length === 0) throw new Error(`${path} holds no .json file.`)
    return names.flatMap((name) => readAdvisories(join(path, name)))
  }
  return recordsOf(path).flatMap((record) => {
    if (typeof record.id !== 'string') throw new Error(`${path} is not in the format of OSV: an advisory has no id.`)
    return record.withdrawn === undefined ? ofNpm(record.id, record) : []
  })
}

function recordsOf(path: string): Osv[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    throw new Error(`${path} cannot be read.`)
  }
  const whole = parse(text)
  if (Array.isArray(whole)) return whole as Osv[]
  if (isRecord(whole)) return Array.isArray(whole['vulns']) ? (whole['vulns'] as Osv[]) : [whole]
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line, at) => {
    const record = parse(line)
    if (!isRecord(record)) throw new Error(`${path} is not JSON (line ${at + 1}).`)
    return record
  })
}

function ofNpm(id: string, { aliases = [], summary, details = '', affected = [] }: Osv): Advisory[] {
  return affected.flatMap(({ package: named, versions = [], ranges = [] }) => {
    if (named?.ecosystem !== 'npm' || named.name === undefined) return []
    const events = ranges.filter(({ type }) => type !== 'GIT').map((range) => range.events ?? [])
    const fixed = events.flat().flatMap((event) => event.fixed ?? [])
    const title = summary ?? details.split('\n')[0] ?? ''
    return [{ id, aliases, summary: title, packageName: named.name, versions, ranges: events, fixed }]
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
