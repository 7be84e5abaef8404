import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { Suspense } from 'react'

import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'

const RefundDialog = lazyLayer(async () => ({ default: (await import('./RefundDialog.tsx')).RefundDialog }))

/** The dialog of a refund, whose code comes when it is opened. */
export function RefundLayer({ payment, onClose }: { payment: PaymentDetail; onClose: () => void }) {
  return (
    <Suspense>
      <RefundDialog payment={payment} onClose={onClose} />
    </Suspense>
  )
}
