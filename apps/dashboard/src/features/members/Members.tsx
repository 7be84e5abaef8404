import type { Role } from '@kassa/contract/operators/member-schemas.ts'
import type { Operator } from '@kassa/contract/operators/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Plus, Users } from 'lucide-react'
import { Suspense, useState } from 'react'

import { formFailure } from '../../api/form-failure.ts'
import { meQuery, useCan } from '../../api/me.ts'
import { membersQuery } from '../../api/member-lists.ts'
import { useMemberChanges } from '../../api/members.ts'
import { projectsQuery } from '../../api/projects.ts'
import { asRequestError } from '../../api/request-error.ts'
import { rolesQuery } from '../../api/roles.ts'
import { useSearchState } from '../../lib/navigation/search.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { SearchBox } from '../../ui/actions/SearchBox.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { FilterBar } from '../../ui/filters/FilterBar.tsx'
import { roleTitle } from '../../labels/people/role-words.ts'
import { readChoice } from '../../ui/filters/filter-fields.ts'
import type { ChoiceField } from '../../ui/filters/filter-fields.ts'
import { pageSizeOf } from '../../ui/list/paging.ts'
import { lazyLayer } from '../../ui/overlays/lazy-load.ts'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { AWAITED_ATTRIBUTES, columnName, memberColumns } from './member-columns.tsx'
import { memberMenu } from './member-menu.tsx'
import { stateOptions } from './member-states.ts'
import type { OpenDialog } from './MemberDialogs.tsx'
import { refusalOf, ROOT_ROLE } from './who-may.ts'

const MemberDialogs = lazyLayer(async () => ({ default: (await import('./MemberDialogs.tsx')).MemberDialogs }))

/** Who may sign in, with which role; the way in, and out again at once. */
export function Members() {
  const can = useCan()
  const [search] = useSearchState()
  const { data: me } = useQuery(meQuery)
  const { data: roles = [] } = useQuery({ ...rolesQuery, enabled: can('role:read') })
  const { data: projects = [] } = useQuery(projectsQuery)
  const [open, setOpen] = useState<OpenDialog>()
  const { sendAgain, activate } = useMemberChanges()
  const fields = filterFields({ roles, projects })
  const page = useQuery(membersQuery(filterOf(search, fields)))
  const rows = page.data?.data
  const isFiltered = (search.query ?? '') !== '' || fields.some((field) => readChoice(field, search[field.key]).length)
  const mayInvite = can('operator:write')
  const attributes = page.data?.attributes ?? AWAITED_ATTRIBUTES
  const projectName = (id: number) => projects.find((project) => project.id === id)?.name ?? t`Project ${id}`

  const sayFailure = (thrown: unknown) => void toast.error(formFailure(thrown, []).text ?? '')
  const invitedAgain = async (member: Operator) => {
    const { url, expiresAt } = await sendAgain(member.id)
    const { email } = member
    if (url === null) toast.success(t`An invitation is on its way to ${email}`)
    else setOpen({ action: 'link', link: { email, url, expiresAt } })
  }
  const activated = async (member: Operator) => {
    await activate(member.id)
    toast.success(t`Access given back`)
  }
  const menu = (member: Operator) =>
    memberMenu(member, {
      offReason: refusalOf(member, { me, roles }),
      mayRemoveFactor: can('role:write'),
      onOpen: (action) => setOpen({ action, member }),
      onActivate: () => void activated(member).catch(sayFailure),
      onSendAgain: () => void invitedAgain(member).catch(sayFailure),
    })
  const inviteButton = mayInvite && (
    <Button kind="primary" icon={<Plus aria-hidden />} onClick={() => setOpen({ action: 'invite' })}>
      <Trans>Invite member</Trans>
    </Button>
  )
  const isAlone = !isFiltered && rows?.length === 1 && rows[0]?.id === me?.id

  return (
    <>
      <PageHead title={t`Members`} text={t`Who may sign in, and what they may do.`} primary={inviteButton} />
      <DataTable
        caption={t`Members`}
        columns={memberColumns(attributes, { ownId: me?.id, roles, projectName })}
        rows={rows}
        rowKey={({ id }) => String(id)}
        rowName={({ email }) => email}
        menu={mayInvite ? menu : undefined}
        error={page.error === null ? null : asRequestError(page.error)}
        onRetry={() => void page.refetch()}
        refreshing={page.isFetching && page.isPlaceholderData}
        toolbar={
          <>
            <SearchBox label={t`Search members`} placeholder={t`E-mail or name`} />
            <FilterBar
              fields={fields}
              columns={attributes.map((one) => ({ label: columnName(one), sortBy: one.sortBy }))}
            />
          </>
        }
        empty={<NoMembers isFiltered={isFiltered} />}
        paging={{
          nextCursor: page.data?.nextCursor ?? null,
          prevCursor: page.data?.prevCursor ?? null,
          total: page.data?.totalCount,
          isSized: true,
        }}
      />
      {isAlone && (
        <p className="mt-4 text-body text-muted">
          <Trans>Only you. Add someone so payouts can have two approvals.</Trans>
        </p>
      )}
      {open !== undefined && (
        <Suspense>
          <MemberDialogs open={open} onOpen={setOpen} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  )
}

function NoMembers({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState
      icon={<Users aria-hidden />}
      title={isFiltered ? t`No member matches` : t`No members`}
      text={isFiltered ? t`Clear the search and the filters to see everybody.` : t`Nobody works in your projects yet.`}
    />
  )
}

type Named = { readonly id: number; readonly name: string }

/** What the list may be narrowed by. */
function filterFields({ roles, projects }: { roles: readonly Role[]; projects: readonly Named[] }): ChoiceField[] {
  const options = (all: readonly Named[]) => all.map(({ id, name }) => ({ value: String(id), label: name }))
  return [
    { kind: 'choice', key: 'state', label: t`State`, options: stateOptions() },
    {
      kind: 'choice',
      key: 'role',
      label: t`Role`,
      options: [
        { value: String(ROOT_ROLE), label: 'Root' },
        ...options(roles.map((role) => ({ id: role.id, name: roleTitle(role) }))),
      ],
      others: /^\d{1,9}$/,
    },
    { kind: 'choice', key: 'project', label: t`Project`, options: options(projects), others: /^\d{1,9}$/ },
  ]
}

const STATES = ['invited', 'active', 'inactive'] as const

function filterOf(search: Readonly<Record<string, string | undefined>>, fields: readonly ChoiceField[]) {
  const chosen = (key: string) => {
    const field = fields.find((one) => one.key === key)
    return field === undefined ? [] : readChoice(field, search[key])
  }
  const [states, roles, projects] = [chosen('state'), chosen('role'), chosen('project')]
  const { query = '', cursor, sortBy, sortDirection } = search
  return {
    limit: pageSizeOf(search.limit),
    ...(query !== '' && { query }),
    ...(states.length > 0 && { state: STATES.filter((state) => states.includes(state)) }),
    ...(roles.length > 0 && { role: roles }),
    ...(projects.length > 0 && { externalPlatformIds: projects }),
    ...(cursor !== undefined && { cursor }),
    ...(sortBy !== undefined && { sortBy }),
    ...(sortDirection !== undefined && { sortDirection }),
  }
}
