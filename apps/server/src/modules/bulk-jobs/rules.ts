import type { BulkActionContract } from '@kassa/contract/bulk-jobs/action.ts'
import type { NewBulkJob } from '@kassa/contract/bulk-jobs/schemas.ts'
import type { ErrorCode } from '@kassa/contract/errors.ts'
import type { ApiError } from '@kassa/contract/kit/api-error.ts'
import type { Permission } from '@kassa/contract/permissions.ts'

/** An error as it is stored; its text follows from the code and its values. */
export type StoredError = {
  readonly code: ErrorCode
  readonly values: Readonly<Record<string, string | number>>
  readonly fields: Readonly<Record<string, string>>
  readonly message: string
  readonly details: string
}

/** Returns what is stored of an error. */
export function storedError({ code, values, fields = {}, message, details }: ApiError): StoredError {
  return { code, values, fields, message, details }
}

/** What an operator may do, install-wide and by project. */
type Grants = {
  readonly install: ReadonlySet<Permission>
  readonly projects: ReadonlyMap<number, ReadonlySet<Permission>>
}

/** The projects among these in which an operator holds a permission. */
export function projectsWith(
  grants: Grants,
  permission: Permission,
  asked: readonly number[] | 'every',
): readonly number[] | 'every' {
  if (grants.install.has(permission)) return asked
  const held = [...grants.projects].filter(([, permissions]) => permissions.has(permission)).map(([id]) => id)
  return asked === 'every' ? held : held.filter((id) => asked.includes(id))
}

/** How often a row is tried whose failures have causes outside of it, before it is refused. */
export const MAX_ROW_TRIES = 3

/** A row of a request. */
export type AskedRow = {
  readonly line: number
  readonly key: string | null
  readonly input: Readonly<Record<string, unknown>>
}

/** Rows of a request in their order, each with the shared fields, a line and its key. */
export function askedRows({ rows = [], shared = {} }: Pick<NewBulkJob, 'rows' | 'shared'>): AskedRow[] {
  return rows.map(({ key, line, input }, index) => ({
    line: line ?? index + 1,
    key: key ?? null,
    input: { ...shared, ...input },
  }))
}

/** The first value that appears twice; undefined when there is none. */
export function firstRepeated<Value>(values: readonly Value[]): Value | undefined {
  const seen = new Set<Value>()
  return values.find((value) => seen.has(value) || !seen.add(value))
}

/** Whether a request has rows, or a filter in their place where the action accepts one. */
export function isWellAsked(action: Pick<BulkActionContract, 'filter'>, { rows, filter }: NewBulkJob): boolean {
  return filter === undefined ? rows !== undefined : rows === undefined && action.filter !== undefined
}
