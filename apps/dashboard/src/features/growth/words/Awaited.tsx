import { t } from '@lingui/core/macro'

import { asRequestError } from '../../../api/request-error.ts'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { ErrorState } from '../../../ui/places/ErrorState.tsx'
import { PageHead } from '../../../ui/places/PageHead.tsx'

export type AwaitedProps = {
  /** What the page is called until its thing is there. */
  readonly title: string
  readonly error: Error | null
  /** The code that says that there is no such thing, and the sentence for it. */
  readonly absent: readonly [code: string, text: string]
  readonly onRetry: () => void
}

/** A page of one thing while it loads, when it failed, and when there is none. */
export function Awaited({ title, error, absent: [code, text], onRetry }: AwaitedProps) {
  const failure = error === null ? undefined : asRequestError(error)
  return (
    <>
      <PageHead title={title} />
      <Card flush>
        {failure === undefined ? (
          <div className="flex flex-col gap-3 p-5">
            <Skeleton width="40%" height={20} />
            <Skeleton width="80%" />
            <Skeleton height={160} />
            <LoadingText text={title} />
          </div>
        ) : failure.code === code ? (
          <EmptyState title={text} text={t`It may belong to another project.`} />
        ) : (
          <ErrorState title={t`${title} couldn’t be loaded`} error={failure} onRetry={onRetry} />
        )}
      </Card>
    </>
  )
}
