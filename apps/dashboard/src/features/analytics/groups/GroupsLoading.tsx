import { t } from '@lingui/core/macro'

import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'

const TILES = [1, 2, 3, 4, 5, 6]
const NARROW = [1, 2]

/** The shapes of the dashboard before it is known what is on it. */
export function GroupsLoading() {
  return (
    <div className="flex flex-col gap-4 lg:gap-5">
      <div>
        <div className="mb-1 flex min-h-9 items-center">
          <Skeleton width={96} height={20} />
        </div>
        <div className="figures gap-1.5 sm:gap-3 md:grid-cols-3 lg:grid-cols-6">
          {TILES.map((tile) => (
            <div
              key={tile}
              className="flex min-h-24 flex-col gap-2 rounded-card border border-border bg-surface p-4 lg:min-h-36"
            >
              <Skeleton width="70%" height={14} />
              <Skeleton width={72} height={28} />
            </div>
          ))}
        </div>
      </div>
      <div className="grid gap-4 lg:grid-cols-3 lg:gap-5">
        <div className="min-h-[52rem] rounded-card border border-border bg-surface p-5 lg:col-span-2">
          <Skeleton width="30%" height={20} />
        </div>
        <div className="flex flex-col gap-4 *:min-h-72 *:flex-1 lg:gap-5">
          {NARROW.map((card) => (
            <div key={card} className="rounded-card border border-border bg-surface p-5">
              <Skeleton width="50%" height={20} />
            </div>
          ))}
        </div>
      </div>
      <LoadingText text={t`Loading the figures`} />
    </div>
  )
}
