import { type AuditStatus, AUDIT_CATEGORIES, AUDIT_STATUSES } from '@kassa/contract/audit/events.ts'
import { t } from '@lingui/core/macro'

import type { AuditFilter } from '../../api/audit.ts'
import { localIso } from '../../lib/time/time.ts'
import { operatorZone } from '../../lib/time/time-zone.ts'
import { chosenDays, readChoice } from '../../ui/filters/filter-fields.ts'
import type { ChoiceField, FilterField } from '../../ui/filters/filter-fields.ts'
import { pageSizeOf } from '../../ui/list/paging.ts'
import { CATEGORY_WORDS, EVENT_WORDS, resultOptions } from './audit-words.ts'

/** The values of an address. */
type Search = Readonly<Record<string, string | undefined>>

type Named = { readonly id: number; readonly name: string }

/** What the filters offer; a name may still be on its way. */
export type AuditChoices = {
  readonly members: readonly Named[]
  readonly keys: readonly Named[]
  readonly projects: readonly Named[]
  /** By their name on the wire. */
  readonly roles: readonly { readonly value: string; readonly label: string }[]
}

const ID = /^\d{1,9}$/
const options = (all: readonly Named[]) => all.map(({ id, name }) => ({ value: String(id), label: name }))

/** Returns what the list can be narrowed by: every column of it. */
export function auditFields({ members, keys, projects, roles }: AuditChoices): readonly FilterField[] {
  return [
    { kind: 'date', key: 'at', label: t`When` },
    { kind: 'choice', key: 'member', label: t`Member`, options: options(members), others: ID },
    { kind: 'choice', key: 'key', label: t`API key`, options: options(keys), others: ID },
    { kind: 'choice', key: 'role', label: t`Role`, options: roles, others: /^[a-z_0-9]{1,64}$/ },
    {
      kind: 'choice',
      key: 'category',
      label: t`Subject`,
      options: AUDIT_CATEGORIES.map((value) => ({ value, label: t(CATEGORY_WORDS[value]) })),
    },
    {
      kind: 'choice',
      key: 'event',
      label: t`What`,
      options: Object.entries(EVENT_WORDS)
        .map(([value, words]) => ({ value, label: t(words) }))
        .toSorted((a, b) => a.label.localeCompare(b.label)),
    },
    { kind: 'choice', key: 'project', label: t`Project`, options: options(projects), others: ID },
    { kind: 'choice', key: 'result', label: t`Result`, options: resultOptions() },
  ]
}

/** What a view leaves; `mine` needs to know who looks. */
export const AUDIT_VIEWS = ['all', 'money', 'access', 'denied', 'mine'] as const

export type AuditView = (typeof AUDIT_VIEWS)[number]

/** Returns what the server is asked for, without the page. */
export function narrowingOf(
  search: Search,
  fields: readonly FilterField[],
  { view, ownId, now = new Date() }: { view: AuditView; ownId: number | undefined; now?: Date },
): AuditFilter {
  const chosen = (key: string) => {
    const field = fields.find((one): one is ChoiceField => one.kind === 'choice' && one.key === key)
    return field === undefined ? [] : readChoice(field, search[key])
  }
  const numbers = (key: string) => chosen(key).map(Number)
  const { from, to } = chosenDays(search.at, now)
  const members = view === 'mine' && ownId !== undefined ? [ownId] : numbers('member')
  const categories = AUDIT_CATEGORIES.filter((name) => (view === name ? true : chosen('category').includes(name)))
  const refused: readonly AuditStatus[] = ['FAILURE', 'DENIED']
  const results = AUDIT_STATUSES.filter((name) => chosen('result').includes(name))
  const statuses = view === 'denied' && results.length === 0 ? refused : results
  return {
    ...(search.query ? { query: search.query } : {}),
    ...some('memberIDs', members),
    ...some('apiKeyIDs', numbers('key')),
    ...some('projectIDs', numbers('project')),
    ...some('roles', chosen('role')),
    ...some('eventCategory', view === 'money' || view === 'access' ? [view] : categories),
    ...some('eventName', chosen('event')),
    ...some('apiStatus', statuses),
    ...(from && { startDate: localIso(from, 'start', now) }),
    ...(to && { endDate: localIso(to, 'end', now) }),
    ...((from ?? to) && { timezone: operatorZone() }),
  }
}

/** Returns what the server is asked for to fill a page. */
export function pageOf(search: Search, narrowing: AuditFilter): AuditFilter {
  return { ...narrowing, limit: pageSizeOf(search.limit), ...(search.cursor ? { cursor: search.cursor } : {}) }
}

function some<Key extends string, Item>(key: Key, items: readonly Item[]) {
  return items.length === 0 ? {} : ({ [key]: [...items] } as { readonly [K in Key]: Item[] })
}
