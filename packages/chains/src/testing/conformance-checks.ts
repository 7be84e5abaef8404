import { InvalidInput } from '../errors.ts'

/** Throws unless two values are one. */
export function same(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) throw new Error(`${what}: ${String(actual)} instead of ${String(expected)}`)
}

/** Throws unless two values differ. */
export function differ(actual: unknown, other: unknown, what: string): void {
  if (actual === undefined || actual === other) throw new Error(`${what} are equal: ${String(actual)}`)
}

/** Throws unless the input is refused as such. */
export function refuses(act: () => unknown, what: string): void {
  try {
    act()
  } catch (error) {
    if (error instanceof InvalidInput) return
    throw error
  }
  throw new Error(what)
}
