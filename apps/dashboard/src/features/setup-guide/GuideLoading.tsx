import { t } from '@lingui/core/macro'

import { Card } from '../../ui/Card.tsx'
import { LoadingText, Skeleton } from '../../ui/Skeleton.tsx'

/** The card's shape; the dashboard works without it. */
export function GuideLoading() {
  return (
    <Card title={t`Setup guide`}>
      <div className="flex flex-col gap-6">
        {[0, 1, 2, 3, 4].map((line) => (
          <Skeleton key={line} width={`${80 - line * 8}%`} height={20} />
        ))}
      </div>
      <LoadingText text={t`Loading the setup guide`} />
    </Card>
  )
}
