import type { Advisory, RangeEvent } from './read-advisories.ts'

/** A package as the lockfile pins it. */
export type LockedPackage = { readonly name: string; readonly version: string }

export type Affected = LockedPackage & { readonly advisory: Advisory }

type Lockfile = {
  readonly packages: Readonly<
    Record<string, { readonly name?: string; readonly version?: string; readonly link?: boolean }>
  >
}

/** Lists each package and version of an npm lockfile (version 2 or 3) once, by name; workspaces are not among them. */
export function lockedPackages(text: string): LockedPackage[] {
  const { packages } = JSON.parse(text) as Lockfile
  const found = new Map<string, LockedPackage>()
  for (const [path, { name: alias, version, link }] of Object.entries(packages)) {
    const installed = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1]
    // A package under another name is known by its own.
    const name = alias ?? installed
    if (installed === undefined || name === undefined || version === undefined || link) continue
    found.set(`${name}@${version}`, { name, version })
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** The packages that an advisory is about, with the advisory. */
export function affectedBy(packages: readonly LockedPackage[], advisories: readonly Advisory[]): Affected[] {
  const byName = Map.groupBy(advisories, ({ packageName }) => packageName)
  return packages.flatMap((locked) =>
    (byName.get(locked.name) ?? [])
      .filter((advisory) => isAffected(locked.version, advisory))
      .map((advisory) => ({ ...locked, advisory })),
  )
}

/** An advisory that names neither versions nor ranges is about every version. */
function isAffected(version: string, { versions, ranges }: Advisory): boolean {
  if (versions.length === 0 && ranges.length === 0) return true
  return versions.includes(version) || ranges.some((events) => isInRange(version, events))
}

/** As the format's own algorithm: of the events in the order of versions, the last one at or before the version decides. */
function isInRange(version: string, events: readonly RangeEvent[]): boolean {
  const bounds = events.flatMap(({ introduced, fixed, last_affected: last }) => [
    ...(introduced === undefined ? [] : [{ at: introduced, begins: true, after: false }]),
    ...(fixed === undefined ? [] : [{ at: fixed, begins: false, after: false }]),
    ...(last === undefined ? [] : [{ at: last, begins: false, after: true }]),
  ])
  let isIn = false
  for (const { at, begins, after } of bounds.toSorted((a, b) => compareVersions(a.at, b.at))) {
    const order = compareVersions(version, at)
    if (after ? order > 0 : order >= 0) isIn = begins
  }
  return isIn
}

/** Orders two versions by Semantic Versioning 2.0.0, 11; `0` is before all. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)]
  return compareLists(left.numbers, right.numbers) || comparePreReleases(left.pre, right.pre)
}

function partsOf(version: string): { numbers: string[]; pre: string[] | null } {
  if (version === '0') return { numbers: ['0', '0', '0'], pre: ['0'] }
  const [, core = '', pre] = /^v?([^+-]*)(?:-([^+]*))?/.exec(version) ?? []
  const numbers = core.split('.')
  while (numbers.length < 3) numbers.push('0')
  return { numbers, pre: pre === undefined ? null : pre.split('.') }
}

/** A version before its release comes before it. */
function comparePreReleases(a: string[] | null, b: string[] | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return compareLists(a, b)
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const [left, right] = [a[at], b[at]]
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1
    if (left === right) continue
    const areNumbers = [/^\d+$/.test(left), /^\d+$/.test(right)] as const
    if (areNumbers[0] && areNumbers[1]) return BigInt(left) < BigInt(right) ? -1 : 1
    // Numbers come before words.
    if (areNumbers[0] !== areNumbers[1]) return areNumbers[0] ? -1 : 1
    return left < right ? -1 : 1
  }
  return 0
}
