import type { PaymentDetail as Payment } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { SearchX } from 'lucide-react'
import { asRequestError } from '../../../api/request-error.ts'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { ErrorState } from '../../../ui/places/ErrorState.tsx'
import { PaymentTabs } from '../tabs/PaymentTabs.tsx'
import { PaymentHead } from './PaymentHead.tsx'

export type PaymentDetailProps = {
  /** Absent while the answer is on its way, or when there is none. */
  readonly payment: Payment | undefined
  readonly error: Error | null
  readonly onRetry: () => void
}

/** What a payment is and what happened to it: loading, missing, failed, shown. */
export function PaymentDetail({ payment, error, onRetry }: PaymentDetailProps) {
  if (payment !== undefined) {
    return (
      <div className="flex flex-col gap-6">
        <PaymentHead payment={payment} />
        <PaymentTabs payment={payment} />
      </div>
    )
  }
  if (error === null) return <Loading />
  const failure = asRequestError(error)
  if (failure.code !== 'PAYMENT_NOT_FOUND') {
    return <ErrorState title={t`Payment couldn’t be loaded`} error={failure} onRetry={onRetry} />
  }
  return (
    <EmptyState
      icon={<SearchX aria-hidden strokeWidth={1.75} />}
      title={t`There’s no payment with this reference here`}
      text={t`It may belong to another project.`}
    />
  )
}

/** The shape of head and tabs. */
function Loading() {
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col gap-3">
        <Skeleton width={160} height={40} />
        <Skeleton width="60%" />
      </div>
      <Skeleton height={92} />
      <Skeleton width="70%" height={24} />
      <Skeleton height={180} />
      <LoadingText text={t`Loading the payment`} />
    </div>
  )
}
