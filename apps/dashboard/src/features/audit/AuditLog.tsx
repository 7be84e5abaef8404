import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { Suspense } from 'react'

import { auditQuery } from '../../api/audit.ts'
import { apiKeysQuery } from '../../api/lazy-lists.ts'
import { meQuery, useCan } from '../../api/me.ts'
import { membersQuery } from '../../api/member-lists.ts'
import { projectsQuery } from '../../api/projects.ts'
import { ALL_PROJECTS } from '../../lib/navigation/current-project.ts'
import { asRequestError } from '../../api/request-error.ts'
import { rolesQuery } from '../../api/roles.ts'
import { roleTitle } from '../../labels/people/role-words.ts'
import { stringifySearch, useSearchState } from '../../lib/navigation/search.ts'
import { SearchBox } from '../../ui/actions/SearchBox.tsx'
import { Tabs } from '../../ui/actions/Tabs.tsx'
import { FilterBar } from '../../ui/filters/FilterBar.tsx'
import { isSet } from '../../ui/filters/filter-fields.ts'
import { lazyLayer } from '../../ui/overlays/lazy-load.ts'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { auditColumns } from './audit-columns.tsx'
import { AUDIT_VIEWS, type AuditView, auditFields, narrowingOf, pageOf } from './audit-filter.ts'
import { eventTitle } from './audit-words.ts'
import { AuditProof } from './AuditProof.tsx'

const AuditDrawer = lazyLayer(async () => ({ default: (await import('./AuditDrawer.tsx')).AuditDrawer }))

/** Members and keys a filter offers; others are found by the search. */
const MOST_OFFERED = 200

/** The audit log: every change and every refusal, none of which can be changed or removed. */
export function AuditLog() {
  return (
    <>
      <PageHead title={t`Audit log`} text={t`Who did what, from where, with what result. Nobody can change it.`} />
      <Tabs
        label={t`Views`}
        param="view"
        clears={['cursor', 'entry']}
        tabs={[
          { id: 'all', label: t`Everything` },
          { id: 'money', label: t`Money` },
          { id: 'access', label: t`Access` },
          { id: 'denied', label: t`Denied` },
          { id: 'mine', label: t({ message: 'Mine', comment: 'entries of the person signed in' }) },
        ]}
      >
        {(view) => <Entries view={AUDIT_VIEWS.find((one) => one === view) ?? 'all'} />}
      </Tabs>
    </>
  )
}

function Entries({ view }: { view: AuditView }) {
  const [search, setSearch] = useSearchState()
  const pathname = useLocation({ select: (location) => location.pathname })
  const { data: me } = useQuery(meQuery)
  const fields = useFields()
  const narrowing = narrowingOf(search, fields, { view, ownId: me?.id })
  const page = useQuery({ ...auditQuery(pageOf(search, narrowing)), enabled: view !== 'mine' || me !== undefined })
  const rows = page.data?.data
  const isFiltered = (search.query ?? '') !== '' || fields.some((field) => isSet(field, search[field.key]))
  const entry = Number(search.entry)
  const open = (id: number | undefined) => setSearch({ entry: id === undefined ? undefined : String(id) })
  const at = rows?.findIndex(({ id }) => id === entry) ?? -1
  const step = (by: number) => {
    const next = at === -1 ? undefined : rows?.[at + by]
    return next && (() => open(next.id))
  }
  return (
    <div className="flex flex-col gap-3 pt-4">
      <AuditProof narrowing={narrowing} total={page.data?.total_count} />
      <DataTable
        caption={t`Audit log`}
        columns={auditColumns()}
        rows={rows}
        rowKey={({ id }) => String(id)}
        rowName={(row) => eventTitle(row)}
        rowHref={({ id }) => pathname + stringifySearch({ ...search, entry: String(id) })}
        error={page.error === null ? null : asRequestError(page.error)}
        onRetry={() => void page.refetch()}
        refreshing={page.isFetching && page.isPlaceholderData}
        toolbar={
          <>
            <SearchBox label={t`Search the audit log`} placeholder={t`E-mail, address, path or number`} />
            <FilterBar fields={fields} columns={[]} />
          </>
        }
        empty={<NoEntries isFiltered={isFiltered || view !== 'all'} />}
        paging={{
          nextCursor: page.data?.nextCursor ?? null,
          prevCursor: page.data?.prevCursor ?? null,
          total: page.data?.total_count,
          totalIsEstimate: page.data?.totalIsEstimate,
          isSized: true,
        }}
      />
      {Number.isInteger(entry) && entry > 0 && (
        <Suspense>
          <AuditDrawer id={entry} onPrevious={step(-1)} onNext={step(1)} onClose={() => open(undefined)} />
        </Suspense>
      )}
    </div>
  )
}

/** The filters with the names that the operator may read. */
function useFields() {
  const can = useCan()
  const members = useQuery({ ...membersQuery({ limit: MOST_OFFERED }), enabled: can('operator:read') })
  const keys = useQuery({ ...apiKeysQuery(ALL_PROJECTS), enabled: can('api_key:read') })
  const { data: roles = [] } = useQuery({ ...rolesQuery, enabled: can('role:read') })
  const { data: projects = [] } = useQuery(projectsQuery)
  return auditFields({
    members: (members.data?.data ?? []).map(({ id, email }) => ({ id, name: email })),
    keys: (keys.data ?? []).map(({ id, name, last4 }) => ({ id, name: `${name} …${last4}` })),
    projects,
    roles: [
      { value: 'root', label: 'Root' },
      ...roles.map((role) => ({ value: role.name, label: roleTitle(role) })),
      { value: 'platform_admin', label: t`API key` },
    ],
  })
}

function NoEntries({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState
      icon={<ScrollText aria-hidden />}
      title={isFiltered ? t`Nothing matches` : t`Nothing has happened yet`}
      text={isFiltered ? t`Clear the search and the filters to see everything.` : t`The next change will appear here.`}
    />
  )
}
