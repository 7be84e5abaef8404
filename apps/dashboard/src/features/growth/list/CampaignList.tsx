import { campaignMachine, type CampaignStatus } from '@kassa/contract/referral/machine.ts'
import type { Campaign } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Archive, Copy, Gift, Pause, Play, Plus, SquarePen } from 'lucide-react'
import { Suspense, useState } from 'react'

import { type CampaignFilter, campaignsQuery } from '../../../api/growth.ts'
import { useCan } from '../../../api/me.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { CAMPAIGN_STATES } from '../../../labels/growth-labels.ts'
import { ALL_PROJECTS } from '../../../lib/navigation/current-project.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { paths } from '../../../lib/paths.ts'
import { LinkButton } from '../../../ui/actions/LinkButton.tsx'
import type { MenuItem } from '../../../ui/actions/Menu.tsx'
import { SearchBox } from '../../../ui/actions/SearchBox.tsx'
import { FilterBar } from '../../../ui/filters/FilterBar.tsx'
import { type ChoiceField, readChoice } from '../../../ui/filters/filter-fields.ts'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { moveName, movesOf } from '../campaign/campaign-moves.ts'
import { campaignColumns } from './campaign-columns.tsx'

const StatusDialog = lazyLayer(async () => ({ default: (await import('../campaign/StatusDialog.tsx')).StatusDialog }))

const MOVE_ICONS = {
  active: <Play aria-hidden />,
  paused: <Pause aria-hidden />,
  archived: <Archive aria-hidden />,
} as const

/** Every campaign: whether it pays, how much it has given, and the switch that stops it. */
export function CampaignList({ projectId }: { projectId: string }) {
  const can = useCan()
  const [search] = useSearchState()
  const [move, setMove] = useState<{ readonly campaign: Campaign; readonly to: CampaignStatus }>()
  const field = stateField()
  const page = useQuery(campaignsQuery(projectId, filterOf(search, field)))
  const isFiltered = (search.query ?? '') !== '' || readChoice(field, search[field.key]).length > 0
  const columns = campaignColumns({ hasSeveralProjects: projectId === ALL_PROJECTS })
  const menuOf = (campaign: Campaign): MenuItem[] => {
    const { id, externalPlatformID, ended, status } = campaign
    const place = { projectId: externalPlatformID, id }
    const open: MenuItem = { label: t`Open`, href: paths.campaign(place) }
    if (!can('referral:write', externalPlatformID)) return [open]
    return [
      open,
      ...(status === 'archived' || ended
        ? []
        : [{ label: t`Edit`, icon: <SquarePen aria-hidden />, href: paths.editCampaign(place) }]),
      {
        label: t`Duplicate`,
        icon: <Copy aria-hidden />,
        href: paths.newCampaign({ projectId: externalPlatformID }, { from: String(id) }),
      },
      ...movesOf(campaign).map((to) => ({
        label: moveName(to),
        icon: MOVE_ICONS[to],
        danger: to === 'archived',
        divided: to === 'archived',
        onSelect: () => setMove({ campaign, to }),
      })),
    ]
  }
  return (
    <>
      <DataTable
        caption={t`Campaigns`}
        columns={columns}
        rows={page.data}
        rowKey={({ id }) => String(id)}
        rowName={({ name }) => name}
        rowHref={({ externalPlatformID, id }) => paths.campaign({ projectId: externalPlatformID, id })}
        menu={menuOf}
        error={page.error === null ? null : asRequestError(page.error)}
        onRetry={() => void page.refetch()}
        refreshing={page.isFetching && page.isPlaceholderData}
        toolbar={
          <>
            <SearchBox label={t`Search campaigns`} placeholder={t`Name`} />
            <FilterBar fields={[field]} columns={columns.map(({ label, sortBy }) => ({ label, sortBy }))} />
          </>
        }
        empty={<NoCampaigns projectId={projectId} isFiltered={isFiltered} />}
      />
      <Suspense>{move !== undefined && <StatusDialog {...move} onClose={() => setMove(undefined)} />}</Suspense>
    </>
  )
}

function stateField(): ChoiceField {
  return {
    kind: 'choice',
    key: 'status',
    label: t`Status`,
    options: campaignMachine.states.map((state) => ({ value: state, label: t(CAMPAIGN_STATES[state].word) })),
  }
}

function filterOf(search: Readonly<Record<string, string | undefined>>, field: ChoiceField): CampaignFilter {
  const status = readChoice(field, search[field.key]) as CampaignStatus[]
  const { query = '', sortBy, sortDirection } = search
  return {
    ...(query !== '' && { name: query }),
    ...(status.length > 0 && { status }),
    ...(sortBy !== undefined && { sortBy }),
    ...(sortDirection !== undefined && { sortDirection }),
  }
}

function NoCampaigns({ projectId, isFiltered }: { projectId: string; isFiltered: boolean }) {
  const mayStart = useCan()('referral:write', projectId) && projectId !== ALL_PROJECTS
  const icon = <Gift aria-hidden strokeWidth={1.75} />
  if (isFiltered) {
    return (
      <EmptyState icon={icon} title={t`No campaign matches.`} text={t`Clear the search and the filters to see all.`} />
    )
  }
  return (
    <EmptyState
      icon={icon}
      title={t`No campaigns.`}
      text={t`Reward customers who bring customers.`}
      action={
        mayStart && (
          <LinkButton icon={<Plus aria-hidden strokeWidth={2} />} href={paths.newCampaign({ projectId })}>
            <Trans>New campaign</Trans>
          </LinkButton>
        )
      }
    />
  )
}
