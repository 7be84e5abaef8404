import type { VaultActivity } from '@kassa/contract/vaults/activities.ts'
import type { Vault } from '@kassa/contract/vaults/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { useCan } from '../../api/me.ts'
import { asRequestError } from '../../api/request-error.ts'
import { vaultActivitiesQuery } from '../../api/vaults.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/actions/TextLink.tsx'
import { StatusBadge } from '../../ui/facts/StatusBadge.tsx'
import { TruncatedName } from '../../ui/facts/TruncatedName.tsx'
import type { Column } from '../../ui/list/columns.ts'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { ClockTime } from '../../ui/time/ClockTime.tsx'
import { activityTitle } from './vault-words.ts'

/** The newest of what was done to vaults: by whom, when, and with which result. */
export function VaultActivities({ vaults = [] }: { vaults: readonly Vault[] | undefined }) {
  const { data, error, refetch } = useQuery(vaultActivitiesQuery)
  const mayReadLog = useCan()('audit:read')
  return (
    <section className="mt-6">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-h3 font-semibold">
          <Trans>Vault activity</Trans>
        </h2>
        {mayReadLog && (
          <TextLink href={paths.auditLog({ category: 'vaults' })}>
            <Trans>All in the audit log</Trans>
          </TextLink>
        )}
      </div>
      <DataTable
        caption={t`Vault activity`}
        columns={columns(vaults)}
        rows={data}
        rowKey={({ id }) => String(id)}
        rowName={activityTitle}
        error={error === null ? null : asRequestError(error)}
        onRetry={() => void refetch()}
        empty={
          <EmptyState title={t`Nothing yet`} text={t`Who made, changed, locked or unlocked a vault appears here.`} />
        }
      />
    </section>
  )
}

function columns(vaults: readonly Vault[]): Column<VaultActivity>[] {
  const nameOf = (id: number | null) => vaults.find((vault) => vault.id === id)?.name ?? '–'
  return [
    { key: 'what', label: t`What`, card: 'title', cell: activityTitle },
    {
      key: 'vault',
      label: t`Vault`,
      card: 'line',
      grows: true,
      cell: ({ vaultID }) => <TruncatedName name={nameOf(vaultID)} />,
    },
    {
      key: 'who',
      label: t`Who`,
      card: 'line',
      grows: true,
      cell: ({ actor }) => <TruncatedName name={whoOf(actor)} />,
    },
    { key: 'when', label: t`When`, card: 'foot', cell: ({ createdAt }) => <ClockTime at={createdAt} /> },
    {
      key: 'result',
      label: t`Result`,
      card: 'badge',
      cell: ({ result }) =>
        result === 'ok' ? (
          <StatusBadge tone="success" word={t`Done`} wire={result} />
        ) : (
          <StatusBadge tone="danger" word={t`Refused`} wire={result} />
        ),
    },
  ]
}

function whoOf(actor: VaultActivity['actor']): string {
  return actor === null ? '–' : actor.name || actor.email
}
