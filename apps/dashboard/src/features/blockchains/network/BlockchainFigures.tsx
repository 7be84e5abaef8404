import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'

import { count } from '../../../lib/text/format.ts'
import { headOf } from '../../../labels/networks/network-state.ts'
import { Age } from '../../../ui/time/Age.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { StatTile } from '../../../ui/facts/StatTile.tsx'

/** How far a network is read; shapes of that size while it is on its way. */
export function BlockchainFigures({ blockchain }: { blockchain: Blockchain | undefined }) {
  const figure = (of: (row: Blockchain) => ReactNode) =>
    blockchain === undefined ? <Skeleton width={72} height={28} /> : of(blockchain)
  return (
    <div className="figures gap-3 lg:grid-cols-4">
      <StatTile label={t`Head of the network`} value={figure((row) => countOf(headOf(row)))} />
      <StatTile
        label={t`Read up to block`}
        value={figure(({ lagBlocks, height }) => countOf(lagBlocks === null ? null : height))}
      />
      <StatTile label={t`Blocks behind`} value={figure(({ lagBlocks }) => countOf(lagBlocks))} />
      <StatTile
        label={t`Last block we read`}
        value={figure(({ heightTimestamp }) => (
          <Since at={heightTimestamp} />
        ))}
      />
    </div>
  )
}

function countOf(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : count(value)
}

function Since({ at }: { at: Date | null }) {
  if (at === null) return '–'
  return (
    <Trans>
      <Age at={at} /> ago
    </Trans>
  )
}
