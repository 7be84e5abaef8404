import type { Campaign, PromoterDetail } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { Suspense, useState } from 'react'

import { campaignsQuery } from '../../../api/growth.ts'
import { useCan } from '../../../api/me.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { campaignBadge, rewardsText } from '../../../labels/growth-labels.ts'
import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { TruncatedName } from '../../../ui/facts/TruncatedName.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'

const AttachDialog = lazyLayer(async () => ({ default: (await import('./AttachDialog.tsx')).AttachDialog }))

/** The campaigns that reach a promoter: those for all, and those that are attached. */
export function PromoterCampaigns({ projectId, promoter }: { projectId: string; promoter: PromoterDetail }) {
  const mayWrite = useCan()('referral:write', projectId)
  const [isAttaching, setAttaching] = useState(false)
  const { data, error, refetch } = useQuery(campaignsQuery(projectId))
  const attached = new Set(promoter.campaigns?.map(({ id }) => id))
  const rows = data?.filter(({ id, isDefault, status }) => status !== 'archived' && (isDefault || attached.has(id)))
  return (
    <>
      <DataTable
        caption={t`Campaigns`}
        columns={columns()}
        rows={rows}
        rowKey={({ id }) => String(id)}
        rowName={({ name }) => name}
        rowHref={({ id }) => paths.campaign({ projectId, id })}
        error={error === null ? null : asRequestError(error)}
        onRetry={() => void refetch()}
        toolbar={
          mayWrite && (
            <Button icon={<Link2 aria-hidden />} onClick={() => setAttaching(true)}>
              <Trans>Attach campaigns</Trans>
            </Button>
          )
        }
        empty={<EmptyState title={t`No campaign reaches this promoter.`} />}
      />
      <Suspense>
        {isAttaching && data !== undefined && (
          <AttachDialog
            projectId={projectId}
            promoter={promoter}
            campaigns={data.filter(({ isDefault, status }) => !isDefault && status !== 'archived')}
            onClose={() => setAttaching(false)}
          />
        )}
      </Suspense>
    </>
  )
}

function columns(): Column<Campaign>[] {
  return [
    { key: 'name', label: t`Name`, card: 'title', grows: true, cell: ({ name }) => <TruncatedName name={name} /> },
    { key: 'status', label: t`Status`, card: 'badge', cell: (row) => <StatusBadge {...campaignBadge(row)} /> },
    { key: 'reward', label: t`Reward`, card: 'line', cell: (row) => <span>{rewardsText(row)}</span> },
    {
      key: 'why',
      label: t`Reaches them`,
      card: 'foot',
      cell: ({ isDefault }) => (isDefault ? t`As all promoters` : t`Attached`),
    },
  ]
}
