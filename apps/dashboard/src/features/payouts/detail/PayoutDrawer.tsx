import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'

import { payoutQuery } from '../../../api/payouts.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Drawer } from '../../../ui/overlays/Drawer.tsx'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { ErrorState } from '../../../ui/places/ErrorState.tsx'
import { PayoutActions } from '../decisions/PayoutActions.tsx'
import { PayoutFacts } from './PayoutFacts.tsx'

export type PayoutDrawerProps = {
  readonly projectId: string
  readonly id: number
  readonly onPrevious?: (() => void) | undefined
  readonly onNext?: (() => void) | undefined
  readonly onClose: () => void
}

/** One payout: its state, who decided, its entries and messages, and what may be done about it. */
export function PayoutDrawer({ projectId, id, onPrevious, onNext, onClose }: PayoutDrawerProps) {
  const { data: payout, error, refetch } = useQuery(payoutQuery(projectId, id))
  return (
    <Drawer
      title={t`Payout ${id}`}
      width={800}
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      foot={payout && <PayoutActions key={id} payout={payout} />}
    >
      {payout !== undefined && <PayoutFacts payout={payout} />}
      {payout === undefined && error === null && <Loading />}
      {payout === undefined && error !== null && <Missing error={error} onRetry={() => void refetch()} />}
    </Drawer>
  )
}

function Missing({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const failure = asRequestError(error)
  if (failure.code !== 'WITHDRAWAL_NOT_FOUND') {
    return <ErrorState title={t`Payout couldn’t be loaded`} error={failure} onRetry={onRetry} />
  }
  return (
    <EmptyState
      icon={<SearchX aria-hidden strokeWidth={1.75} />}
      title={t`There’s no payout with this number here`}
      text={t`It may belong to another project.`}
    />
  )
}

function Loading() {
  return (
    <div className="flex flex-col gap-6">
      <Skeleton width={200} height={40} />
      <Skeleton height={64} />
      <Skeleton height={220} />
      <LoadingText text={t`Loading the payout`} />
    </div>
  )
}
