import type { AuditAction, AuditCategory, AuditStatus } from '@kassa/contract/audit/events.ts'
import type { AuditExportQuery, AuditVerifyQuery } from '@kassa/contract/audit/inputs.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { isIP } from 'node:net'

import type { ProjectScope } from '../../context.ts'
import { readSpanFields } from '../../paging/span.ts'

/** What a free-text search is interpreted as. */
export type Term =
  | { readonly kind: 'id'; readonly id: number }
  | { readonly kind: 'address'; readonly ip: string }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'email'; readonly prefix: string }

export type ListFilter = {
  /** The projects whose entries may be read. */
  readonly projectIds: ProjectScope['projectIds']
  readonly from?: Date
  readonly to?: Date
  readonly operatorIds?: readonly number[]
  readonly keyIds?: readonly number[]
  readonly inProjects?: readonly number[]
  readonly roles?: readonly string[]
  readonly categories?: readonly AuditCategory[]
  readonly events?: readonly string[]
  readonly actions?: readonly AuditAction[]
  readonly statuses?: readonly AuditStatus[]
  readonly excluded?: readonly { readonly action: string; readonly status: string }[]
  readonly term?: Term
  /** The vault that was changed, made, or given a key. */
  readonly vaultId?: number
  /** The hot wallet whose key was sealed. */
  readonly walletId?: number
  /** What the key that was sealed is for. */
  readonly keyOf?: { readonly family: string; readonly purpose: string }
}

type Asked = Omit<AuditExportQuery, 'format' | 'schema'>

/** Reads the filters of a list. @throws VALIDATION_FAILED */
export function readFilter(input: Asked, projectIds: ProjectScope['projectIds']): ListFilter {
  const { from, to } = readSpanFields(input)
  if (from && to && to < from) refuse('endDate', 'The end date must not be before the start date')
  const term = termOf(input.query ?? '')
  return {
    projectIds,
    ...(from && { from }),
    ...(to && { to }),
    ...some('operatorIds', input.memberIDs),
    ...some('keyIds', input.apiKeyIDs),
    ...some('inProjects', input.projectIDs),
    ...some('roles', input.roles),
    ...some('categories', input.eventCategory),
    ...some('events', input.eventName),
    ...some('actions', input.apiAction),
    ...some('statuses', input.apiStatus),
    ...some('excluded', input.excludeActionStatusPairs?.map(pairOf)),
    ...(term && { term }),
  }
}

function some<Key extends string, Item>(key: Key, values: readonly Item[] | undefined) {
  return values && values.length > 0 ? ({ [key]: values } as { readonly [K in Key]: readonly Item[] }) : {}
}

function pairOf(pair: string): { readonly action: string; readonly status: string } {
  const [action = '', status = ''] = pair.toUpperCase().split(':')
  return { action, status }
}

/** Interprets a free text: the number of an entry, an address, a path, else the beginning of an e-mail address. */
export function termOf(text: string): Term | undefined {
  const clean = text.trim()
  if (clean === '') return undefined
  if (/^#?\d{1,15}$/.test(clean)) return { kind: 'id', id: Number(clean.replace('#', '')) }
  if (isIP(clean) !== 0) return { kind: 'address', ip: clean }
  if (clean.startsWith('/')) return { kind: 'path', path: clean.replace(/^\/api\/v1(?=\/)/, '') }
  return { kind: 'email', prefix: clean.toLowerCase() }
}

function refuse(field: string, message: string): never {
  return fail('VALIDATION_FAILED', { message, fields: { [field]: message } })
}

/** Reads the span of a verification. @throws VALIDATION_FAILED */
export function spanOf({ from: startDate, to: endDate, timezone }: AuditVerifyQuery): {
  readonly from: Date | undefined
  readonly to: Date | undefined
} {
  const { from, to } = readSpanFields({ startDate, endDate, timezone })
  return { from, to }
}
