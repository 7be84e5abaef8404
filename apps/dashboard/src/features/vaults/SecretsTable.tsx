import type { Secret, Vault } from '@kassa/contract/vaults/schemas.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'

import { asRequestError } from '../../api/request-error.ts'
import { vaultQuery } from '../../api/vaults.ts'
import { None } from '../../ui/facts/None.tsx'
import { StatusBadge } from '../../ui/facts/StatusBadge.tsx'
import { InlineSelect } from '../../ui/fields/InlineSelect.tsx'
import type { Column } from '../../ui/list/columns.ts'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { TimeAgo } from '../../ui/time/TimeAgo.tsx'
import { secretKind, usedBy } from './vault-words.ts'

export type SecretsTableProps = {
  readonly vaults: readonly Vault[]
  readonly vaultId: number
  readonly onChoose: (id: number) => void
}

/** The secrets of one vault by name. What they hold is shown nowhere. */
export function SecretsTable({ vaults, vaultId, onChoose }: SecretsTableProps) {
  const { data, error, refetch } = useQuery(vaultQuery(vaultId))
  const options = vaults.map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <DataTable
      caption={t`Secrets`}
      columns={columns()}
      rows={data?.secrets}
      rowKey={({ id }) => String(id)}
      rowName={({ label }) => label}
      error={error === null ? null : asRequestError(error)}
      onRetry={() => void refetch()}
      empty={
        <EmptyState
          title={t`Nothing stored yet.`}
          text={t`Passwords and keys appear here by name once they are entered.`}
        />
      }
      toolbar={
        options.length > 1 && (
          <InlineSelect
            label={t`Vault`}
            value={String(vaultId)}
            options={options}
            onChange={(value) => onChoose(Number(value))}
          />
        )
      }
    />
  )
}

function columns(): Column<Secret>[] {
  return [
    {
      key: 'label',
      label: t`Name`,
      card: 'title',
      cell: (secret) => (
        <span className="flex min-w-0 flex-wrap items-center gap-2">
          <span className="min-w-0 break-words">{secret.label}</span>
          {secret.unreadableSince !== null && <StatusBadge tone="danger" word={t`Cannot be opened`} />}
        </span>
      ),
    },
    { key: 'kind', label: t`Kind`, card: 'line', cell: secretKind },
    { key: 'usedBy', label: t`Used by`, card: 'line', cardLabel: true, shrink: 2, cell: usedBy },
    {
      key: 'createdAt',
      label: t`Created`,
      card: 'foot',
      cardLabel: true,
      shrink: 1,
      cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
    },
    {
      key: 'rotatedAt',
      label: t`Rotated`,
      card: 'foot',
      cardLabel: true,
      cell: ({ rotatedAt }) => (rotatedAt === null ? <None /> : <TimeAgo at={rotatedAt} />),
    },
  ]
}
