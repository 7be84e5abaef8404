import type { Role } from '@kassa/contract/operators/member-schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Check } from 'lucide-react'

import { useSearchState } from '../../lib/navigation/search.ts'
import { SearchBox } from '../../ui/actions/SearchBox.tsx'
import { Select } from '../../ui/fields/Select.tsx'
import type { Column } from '../../ui/list/columns.ts'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { roleTitle } from '../../labels/people/role-words.ts'
import { PERMISSION_GROUPS } from './permission-words.ts'

type PermissionRow = { readonly name: string; readonly subject: string; readonly words: string }

/** What each role permits, in words; also for a single role. */
export function RoleMatrix({ roles }: { roles: readonly Role[] }) {
  const [{ role = '', query = '' }, setSearch] = useSearchState()
  const chosen = roles.find(({ id }) => String(id) === role)
  const wanted = query.toLowerCase()
  const rows = permissionRows()
    .filter(({ name }) => chosen === undefined || chosen.permissions.includes(name))
    .filter((row) => [row.name, row.subject, row.words].some((text) => text.toLowerCase().includes(wanted)))
  return (
    <section aria-label={t`What each role permits`} className="mt-8">
      <h2 className="mb-3 text-h3 font-semibold">
        <Trans>What each role permits</Trans>
      </h2>
      <DataTable
        caption={t`Permissions`}
        columns={matrixColumns(chosen === undefined ? roles : [])}
        rows={rows}
        rowKey={({ name }) => name}
        toolbar={
          <>
            <div className="w-full self-end sm:w-auto">
              <SearchBox label={t`Search permissions`} placeholder={t`Search permissions`} />
            </div>
            <div className="w-full sm:w-64">
              <Select
                label={t`What can a member do as…`}
                value={chosen === undefined ? '' : role}
                options={[
                  { value: '', label: t`All roles` },
                  ...roles.map((one) => ({ value: String(one.id), label: roleTitle(one) })),
                ]}
                onChange={(next) => setSearch({ role: next }, { replace: true })}
              />
            </div>
          </>
        }
        empty={<EmptyState title={t`No permission is called that`} />}
      />
    </section>
  )
}

function permissionRows(): PermissionRow[] {
  return PERMISSION_GROUPS.flatMap(({ title, permissions }) =>
    permissions.map(([name, words]) => ({ name, subject: t(title), words: t(words) })),
  )
}

function matrixColumns(roles: readonly Role[]): Column<PermissionRow>[] {
  return [
    {
      key: 'words',
      label: t`Permission`,
      card: 'title',
      cell: ({ words, name }) => (
        <span className="block min-w-48">
          {words}
          <span className="block font-mono text-caption font-normal text-muted">{name}</span>
        </span>
      ),
    },
    { key: 'subject', label: t`Subject`, card: 'foot', shrink: 1, cell: ({ subject }) => subject },
    ...roles.map((role): Column<PermissionRow> => {
      const { id, permissions } = role
      return {
        key: `role-${id}`,
        label: roleTitle(role),
        card: 'line',
        cardLabel: true,
        cell: ({ name }) => (permissions.includes(name) ? <May /> : <MayNot />),
      }
    }),
  ]
}

function May() {
  return (
    <span className="inline-flex items-center gap-1 font-medium text-success-text">
      <Check aria-hidden size={14} />
      <Trans>May</Trans>
    </span>
  )
}

function MayNot() {
  return (
    <span className="text-muted">
      <Trans>May not</Trans>
    </span>
  )
}
