import type { Role } from '@kassa/contract/operators/member-schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Copy, Pencil, Plus, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'

import { failureOf } from '../../api/form-failure.ts'
import { useCan } from '../../api/me.ts'
import { asRequestError } from '../../api/request-error.ts'
import { rolesQuery, useRoleChanges } from '../../api/roles.ts'
import { Button } from '../../ui/actions/Button.tsx'
import type { MenuItem } from '../../ui/actions/Menu.tsx'
import { StatusBadge } from '../../ui/facts/StatusBadge.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import type { Column } from '../../ui/list/columns.ts'
import { ConsequencesDialog } from '../../ui/overlays/ConsequencesDialog.tsx'
import { lazyLayer } from '../../ui/overlays/lazy-load.ts'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { roleDescription, roleTitle } from '../../labels/people/role-words.ts'
import { RoleMatrix } from './RoleMatrix.tsx'

const RoleEditor = lazyLayer(async () => ({ default: (await import('./RoleEditor.tsx')).RoleEditor }))

type Open = { readonly action: 'new' } | { readonly action: 'edit' | 'copy' | 'delete'; readonly role: Role }

/** The roles members can have, what each permits, and those one makes for oneself. */
export function Roles() {
  const can = useCan()
  const { data: roles, error, refetch } = useQuery(rolesQuery)
  const [open, setOpen] = useState<Open>()
  const mayWrite = can('role:write')
  const close = () => setOpen(undefined)
  const menu = (role: Role): MenuItem[] => {
    const offReason = role.builtIn ? t`Built-in roles cannot be changed.` : undefined
    const show = (action: 'edit' | 'copy' | 'delete') => () => setOpen({ action, role })
    return [
      { label: t`Copy`, icon: <Copy aria-hidden />, onSelect: show('copy') },
      { label: t`Edit`, icon: <Pencil aria-hidden />, onSelect: show('edit'), offReason },
      {
        label: t`Delete`,
        icon: <Trash2 aria-hidden />,
        onSelect: show('delete'),
        danger: true,
        divided: true,
        offReason,
      },
    ]
  }
  return (
    <>
      <PageHead
        title={t`Roles`}
        text={t`A member has one role in the whole install, or one in each project.`}
        primary={
          mayWrite && (
            <Button kind="primary" icon={<Plus aria-hidden />} onClick={() => setOpen({ action: 'new' })}>
              <Trans>New role</Trans>
            </Button>
          )
        }
      />
      <DataTable
        caption={t`Roles`}
        columns={roleColumns()}
        rows={roles}
        rowKey={({ id }) => String(id)}
        rowName={roleTitle}
        menu={mayWrite ? menu : undefined}
        error={error === null ? null : asRequestError(error)}
        onRetry={() => void refetch()}
        empty={<EmptyState title={t`No roles`} />}
      />
      {roles !== undefined && roles.length > 0 && <RoleMatrix roles={roles} />}
      {open !== undefined && open.action !== 'delete' && (
        <Suspense>
          <RoleEditor
            role={open.action === 'new' ? undefined : open.role}
            isCopy={open.action === 'copy'}
            onClose={close}
          />
        </Suspense>
      )}
      {open?.action === 'delete' && <DeleteRole role={open.role} onClose={close} />}
    </>
  )
}

function DeleteRole({ role, onClose }: { role: Role; onClose: () => void }) {
  const { remove } = useRoleChanges()
  const { id, displayName } = role
  return (
    <ConsequencesDialog
      title={t`Delete the role ${displayName}`}
      consequences={[t`Nobody can be given it any more.`, t`It is refused while a member still has it.`]}
      action={t`Delete role`}
      onConfirm={async () => {
        const failure = await failureOf(() => remove(id))
        if (failure === undefined) toast.success(t`Role deleted`)
        return failure
      }}
      onClose={onClose}
    />
  )
}

function roleColumns(): Column<Role>[] {
  return [
    {
      key: 'name',
      label: t`Role`,
      card: 'title',
      cell: (role) => (
        <span className="block min-w-0">
          {roleTitle(role)}
          <span className="block font-mono text-caption font-normal text-muted">{role.name}</span>
        </span>
      ),
    },
    { key: 'description', label: t`Description`, card: 'line', shrink: 1, cell: roleDescription },
    { key: 'places', label: t`Held in`, card: 'line', cardLabel: true, cell: (role) => placesText(role) },
    {
      key: 'permissions',
      label: t`Permits`,
      card: 'foot',
      shrink: 2,
      cell: ({ permissions: { length } }) => t`${plural(length, { one: '# permission', other: '# permissions' })}`,
    },
    {
      key: 'kind',
      label: t`Kind`,
      card: 'badge',
      cell: ({ builtIn }) =>
        builtIn ? <StatusBadge tone="neutral" word={t`Built-in`} /> : <StatusBadge tone="info" word={t`Custom`} />,
    },
  ]
}

function placesText({ places }: Role): string {
  if (places.length > 1) return t`Projects, or the whole install`
  return places[0] === 'install' ? t`The whole install` : t`Single projects`
}
