import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'

import { paymentQuery } from '../api/payments.ts'
import { usePrefetch } from '../lib/loading/prefetch.ts'
import { useSearchState } from '../lib/navigation/search.ts'
import { lazyLayer } from '../ui/overlays/lazy-load.ts'
import type { PaymentOverProps } from './payment-detail.tsx'

const load = async () => ({ default: (await import('./payment-detail.tsx')).PaymentOver })
const PaymentOver = lazyLayer<PaymentOverProps & { readonly onClose: () => void }>(load)

type OpenPaymentProps = Omit<PaymentOverProps, 'reference'>

/** The payment that `open` names in the address, over whatever page that is; its program comes after the page's. */
export function OpenPayment(props: OpenPaymentProps) {
  const [{ open: reference }, setSearch] = useSearchState()
  usePrefetch(load)
  // Asked for beside the program, not after it.
  useQuery({ ...paymentQuery(props.projectId, reference ?? ''), enabled: reference !== undefined })
  if (reference === undefined) return null
  return (
    <Suspense>
      <PaymentOver {...props} reference={reference} onClose={() => setSearch({ open: undefined, panel: undefined })} />
    </Suspense>
  )
}
