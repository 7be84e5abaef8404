import { t } from '@lingui/core/macro'

import { Card } from '../../../ui/places/Card.tsx'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { BlockchainFigures } from './BlockchainFigures.tsx'

/** The page of a network in its own shape, so that little moves when it comes. */
export function BlockchainLoading() {
  return (
    <div className="flex flex-col gap-6">
      <BlockchainFigures blockchain={undefined} />
      <List title={t`Nodes`} />
      <List title={t`Currencies`} />
      <LoadingText text={t`Loading the blockchain`} />
    </div>
  )
}

/** A network has a node or two, and a currency or two. */
const ROWS = 2

function List({ title }: { title: string }) {
  return (
    <div className="flex flex-col gap-3">
      <h2 className="flex min-h-8 items-center text-h3 font-semibold">{title}</h2>
      <Card flush>
        <div aria-hidden className="divide-y divide-border">
          <div className="h-9 rounded-t-[11px] bg-sunken" />
          {Array.from({ length: ROWS }, (_, row) => (
            <div key={row} className="flex h-11 items-center justify-between gap-4 px-4 sm:px-5">
              <Skeleton width={176} height={12} />
              <Skeleton width={64} height={12} />
            </div>
          ))}
        </div>
      </Card>
    </div>
  )
}
