import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { Card } from '../../../ui/places/Card.tsx'
import { ErrorState } from '../../../ui/places/ErrorState.tsx'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'

/** What a card reads of its query. */
export type Answer<Data> = {
  readonly data: Data | undefined
  readonly error: Error | null
  readonly refetch: () => unknown
}

export type HealthCardProps<Data> = {
  readonly title: string
  /** What is said while it is asked for the first time. */
  readonly loading: string
  /** What is said when it cannot be had. */
  readonly failed: string
  readonly answer: Answer<Data>
  readonly actions?: ReactNode
  readonly children: (data: Data) => ReactNode
}

/** One block of the page with states of its own: what is known stays visible while it cannot be asked again. */
export function HealthCard<Data>({ title, loading, failed, answer, actions, children }: HealthCardProps<Data>) {
  const { data, error, refetch } = answer
  return (
    <Card title={title} actions={actions}>
      {data === undefined && error === null && <Loading text={loading} />}
      {data === undefined && error !== null && (
        <div className="*:py-1">
          <ErrorState title={failed} error={asRequestError(error)} onRetry={() => void refetch()} />
        </div>
      )}
      {data !== undefined && children(data)}
      {data !== undefined && error !== null && (
        <p role="status" className="mt-3 text-dense text-warning-text">
          <Trans>This is what was known before: {asRequestError(error).message}</Trans>
        </p>
      )}
    </Card>
  )
}

function Loading({ text }: { text: string }) {
  return (
    <div className="flex flex-col gap-3">
      <Skeleton width="55%" />
      <Skeleton width="80%" />
      <LoadingText text={text} />
    </div>
  )
}
