import type { Role } from '@kassa/contract/operators/member-schemas.ts'
import type { Operator } from '@kassa/contract/operators/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { listText } from '../../lib/text/list-text.ts'
import { StatusBadge } from '../../ui/facts/StatusBadge.tsx'
import { type Attribute, type Cell, type Column, columnsFrom } from '../../ui/list/columns.ts'
import { TimeAgo } from '../../ui/time/TimeAgo.tsx'
import { roleTitle } from '../../labels/people/role-words.ts'
import { stateBadge } from './member-states.ts'
import { ROOT_ROLE } from './who-may.ts'

/** The columns while the first answer is on its way. */
export const AWAITED_ATTRIBUTES: readonly Attribute[] = [
  { displayName: 'Member ID', key: 'id' },
  { displayName: 'Email', key: 'email' },
  { displayName: 'Platform Roles', key: 'platformRoles' },
  { displayName: 'Created At', key: 'createdAt' },
  { displayName: 'Updated At', key: 'updatedAt' },
  { displayName: 'Member Type', key: 'memberType' },
]

export type MemberColumnsOptions = {
  /** Whose row is marked as one’s own. */
  readonly ownId: number | undefined
  readonly roles: readonly Role[]
  readonly projectName: (id: number) => string
}

/** Returns the columns of the list: those the server names, then ours. */
export function memberColumns(attributes: readonly Attribute[], options: MemberColumnsOptions): Column<Operator>[] {
  const cells: Record<string, Cell<Operator>> = {
    id: { cell: ({ id }) => id, card: 'line', cardLabel: true, shrink: 3 },
    email: {
      cell: (member) => <Name member={member} isOwn={member.id === options.ownId} />,
      card: 'title',
      grows: true,
    },
    platformRoles: { cell: (member) => <HeldRoles member={member} {...options} />, card: 'line' },
    createdAt: { cell: ({ createdAt }) => <TimeAgo at={createdAt} />, card: 'none', shrink: 2 },
    updatedAt: { cell: ({ updatedAt }) => <TimeAgo at={updatedAt} />, card: 'none', shrink: 1 },
    memberType: { cell: () => t`Operator`, card: 'none', shrink: 0 },
  }
  return [
    ...columnsFrom(
      attributes.map((attribute) => ({ ...attribute, displayName: columnName(attribute) })),
      cells,
    ),
    {
      key: 'secondFactor',
      label: t`Second factor`,
      card: 'none',
      shrink: 4,
      cell: ({ secondFactor }) => (secondFactor ? t`Set up` : t`None`),
    },
    {
      key: 'lastSeen',
      label: t`Last seen`,
      card: 'line',
      cardLabel: true,
      shrink: 5,
      cell: ({ lastSeenAt }) => (lastSeenAt === null ? t`Never` : <TimeAgo at={lastSeenAt} />),
    },
    { key: 'state', label: t`State`, card: 'badge', cell: (member) => <StatusBadge {...stateBadge(member)} /> },
  ]
}

/** What a column of the server is called here. */
export function columnName({ key, displayName }: Attribute): string {
  const names: Record<string, string> = {
    id: t`Member ID`,
    email: t`E-mail`,
    platformRoles: t`Roles`,
    createdAt: t`Created`,
    updatedAt: t`Updated`,
    memberType: t`Type`,
  }
  return names[key] ?? displayName
}

function Name({ member: { email, name }, isOwn }: { member: Operator; isOwn: boolean }) {
  const caption = [name, ...(isOwn ? [t`You`] : [])].filter((text) => text !== '').join(' · ')
  return (
    <span className="block min-w-0">
      <span className="block truncate max-sm:wrap-anywhere max-sm:whitespace-normal">{email}</span>
      {caption !== '' && <span className="block truncate text-caption font-normal text-muted">{caption}</span>}
    </span>
  )
}

function HeldRoles({ member, roles, projectName }: { member: Operator } & MemberColumnsOptions) {
  const held = member.memberExternalPlatformRoles
  if (held.length === 0) {
    return (
      <span className="text-muted">
        <Trans>None</Trans>
      </span>
    )
  }
  const places = new Map<number, (number | null)[]>()
  for (const { roleID, externalPlatformID } of held) {
    places.set(roleID, [...(places.get(roleID) ?? []), externalPlatformID])
  }
  return (
    <span className="flex flex-col gap-0.5">
      {[...places].map(([id, projects]) => {
        const names = projects.flatMap((project) => (project === null ? [] : [projectName(project)]))
        return (
          <span key={id}>
            {roleName(id, roles)}
            <span className="block text-caption text-muted">
              {names.length === 0 ? t`Whole install` : listText(names)}
            </span>
          </span>
        )
      })}
    </span>
  )
}

/** What a role is called; root is in no list. */
export function roleName(id: number, roles: readonly Role[]): string {
  if (id === ROOT_ROLE) return 'Root'
  const role = roles.find((one) => one.id === id)
  return role === undefined ? t`Role ${id}` : roleTitle(role)
}
