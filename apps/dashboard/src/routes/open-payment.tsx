import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'

import { paymentQuery } from '../api/payments.ts'
import { usePrefetch } from '../lib/loading/prefetch.ts'
import { useSearchState } from '../lib/navigation/search.ts'
import { lazyLayer } from '../ui/overlays/lazy-load.ts'
import type { PaymentOverlayProps } from './payment-detail.tsx'

const load = async () => ({ default: (await import('./payment-detail.tsx')).PaymentOverlay })
const PaymentOverlay = lazyLayer<PaymentOverlayProps & { readonly onClose: () => void }>(load)

type OpenPaymentProps = Omit<PaymentOverlayProps, 'reference'>

/** The drawer of the payment that the query parameter `open` names, over the current page; its code is loaded after the page's. */
export function OpenPayment(props: OpenPaymentProps) {
  const [{ open: reference }, setSearch] = useSearchState()
  usePrefetch(load)
  // The payment is requested while the code loads, not after it.
  useQuery({ ...paymentQuery(props.projectId, reference ?? ''), enabled: reference !== undefined })
  if (reference === undefined) return null
  return (
    <Suspense>
      <PaymentOverlay
        {...props}
        reference={reference}
        onClose={() => setSearch({ open: undefined, panel: undefined })}
      />
    </Suspense>
  )
}
