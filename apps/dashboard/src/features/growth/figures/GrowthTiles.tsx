import type { GrowthFigureName } from '@kassa/contract/referral/figures.ts'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { MessageDescriptor } from '@lingui/core'
import { useQuery } from '@tanstack/react-query'

import { growthFigureQuery } from '../../../api/growth.ts'
import { paths } from '../../../lib/paths.ts'
import { StatTile } from '../../../ui/facts/StatTile.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'

type Tile = { readonly figure: GrowthFigureName; readonly label: MessageDescriptor; readonly isOfCampaigns?: true }

const TILES: readonly Tile[] = [
  { figure: 'promoters_count', label: msg`Promoters` },
  { figure: 'referee_count', label: msg`Customers` },
  { figure: 'campaign_count', label: msg`Campaigns`, isOfCampaigns: true },
  { figure: 'reward_value', label: msg`Total Rewards Given To Promoters` },
  { figure: 'reward_claimed', label: msg`Reward claimed by promoters` },
  { figure: 'total_revenue', label: msg`Total Revenue` },
]

/** What the programme is and what it costs, from its beginning; a figure that could not be read says so, and the others stand. */
export function GrowthTiles({ projectId }: { projectId: string }) {
  return (
    <ul aria-label={t`Figures of growth`} className="mb-5 figures gap-1.5 sm:gap-3 md:grid-cols-3 xl:grid-cols-6">
      {TILES.map((tile) => (
        <li key={tile.figure} className="flex *:flex-1">
          <FigureTile projectId={projectId} tile={tile} />
        </li>
      ))}
    </ul>
  )
}

function FigureTile({ projectId, tile }: { projectId: string; tile: Tile }) {
  const { data, isError, refetch } = useQuery(growthFigureQuery(projectId, tile.figure))
  const figure = data?.type === 'number_graph' ? data.data[0] : undefined
  const label = t(tile.label)
  if (figure === undefined && isError) {
    return (
      <StatTile
        even
        label={label}
        value={<span className="text-body font-normal text-muted">{t`Couldn’t be loaded`}</span>}
        note={
          <button type="button" className="min-h-6 underline" onClick={() => void refetch()}>
            <Trans>Try again</Trans>
          </button>
        }
      />
    )
  }
  return (
    <StatTile
      even
      label={label}
      value={figure === undefined ? <Skeleton width={72} height={28} /> : figure.text}
      {...(tile.isOfCampaigns === true && { href: paths.campaigns({ projectId }) })}
    />
  )
}
