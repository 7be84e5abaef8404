import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'

import { asApiError } from '../../api/api-error.ts'
import type { ApiError } from '../../api/api-error.ts'
import { paymentQuery } from '../../api/payments.ts'
import { shortAddress } from '../../lib/format.ts'
import { useSearchState } from '../../lib/search.ts'
import { Drawer } from '../../ui/Drawer.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { LoadingText, Skeleton } from '../../ui/Skeleton.tsx'
import { PaymentActions } from './PaymentActions.tsx'
import { PaymentHead } from './PaymentHead.tsx'
import { PaymentTabs } from './PaymentTabs.tsx'

export type PaymentDrawerProps = {
  readonly projectId: string
  readonly reference: string
  /** The payments of the list behind, for the way to the one before and after. */
  readonly listed?: readonly string[]
  /** What only a sandbox offers, beside the actions. */
  readonly tools?: (payment: PaymentDetail) => ReactNode
}

/** The whole story of one payment, and what an operator may do about it. It is open while `open` stands in the address. */
export function PaymentDrawer({ projectId, reference, listed = [], tools }: PaymentDrawerProps) {
  const [, setSearch] = useSearchState()
  const { data: payment, error, refetch } = useQuery(paymentQuery(projectId, reference))
  const show = (other: string | undefined) =>
    other === undefined ? undefined : () => setSearch({ open: other }, { replace: true })
  const at = listed.indexOf(reference)
  return (
    <Drawer
      title={`Payment ${shortAddress(reference)}`}
      width={800}
      onClose={() => setSearch({ open: undefined, panel: undefined })}
      onPrevious={at > 0 ? show(listed[at - 1]) : undefined}
      onNext={at >= 0 ? show(listed[at + 1]) : undefined}
      foot={
        payment && (
          <>
            {tools?.(payment)}
            <PaymentActions payment={payment} />
          </>
        )
      }
    >
      {payment !== undefined && (
        <div className="flex flex-col gap-6">
          <PaymentHead payment={payment} />
          <PaymentTabs payment={payment} />
        </div>
      )}
      {payment === undefined && error === null && <Loading />}
      {payment === undefined && error !== null && <Failed error={asApiError(error)} onRetry={() => void refetch()} />}
    </Drawer>
  )
}

function Failed({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  if (error.code !== 'PAYMENT_NOT_FOUND') {
    return <ErrorState title="Payment couldn’t be loaded" error={error} onRetry={onRetry} />
  }
  return (
    <EmptyState
      icon={<SearchX aria-hidden strokeWidth={1.75} />}
      title="There’s no payment with this reference here"
      text="It may belong to another project."
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
      <LoadingText text="Loading the payment" />
    </div>
  )
}
