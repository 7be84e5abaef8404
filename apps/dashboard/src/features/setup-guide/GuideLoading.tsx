import { t } from '@lingui/core/macro'

import { Card } from '../../ui/places/Card.tsx'
import { LoadingText, Skeleton } from '../../ui/feedback/Skeleton.tsx'

/** As many lines as a project has that was made a moment ago. */
const LINES = 9

/** The card in the guide's size, line by line, so that nothing below it moves; the dashboard works without it. */
export function GuideLoading() {
  return (
    <Card title={t`Setup guide`} text={<Skeleton width={80} height={20} />}>
      <div className="-my-1 divide-y divide-border">
        {Array.from({ length: LINES }, (_, line) => (
          <div key={line} className="flex items-center gap-3 py-3">
            <Skeleton width={24} height={24} round />
            <div className="flex min-w-0 flex-1 flex-col gap-1 py-px">
              <Skeleton width={`${40 - line * 2}%`} height={18} />
              <Skeleton width={`${64 - line * 3}%`} />
            </div>
          </div>
        ))}
      </div>
      <LoadingText text={t`Loading the setup guide`} />
    </Card>
  )
}
