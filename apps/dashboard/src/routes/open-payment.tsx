import { Suspense, useEffect } from 'react'

import { useSearchState } from '../lib/search.ts'
import { lazyPart } from '../ui/lazy-part.ts'
import type { PaymentOverProps } from './payment-detail.tsx'

const load = () => import('./payment-detail.tsx')
const PaymentOver = lazyPart(async () => ({ default: (await load()).PaymentOver }))

/** By then the page itself is there, which must not wait for this. */
const AFTERWARDS_MS = 1_000

type OpenPaymentProps = Omit<PaymentOverProps, 'reference'>

/** The payment that `open` names in the address, over whatever page that is; its program comes after the page's. */
export function OpenPayment(props: OpenPaymentProps) {
  const [{ open: reference }] = useSearchState()
  useEffect(() => {
    // Whoever opens a payment tries again, and is told when that fails. Without a network the browser would remember it as missing.
    const ahead = () => navigator.onLine && void load().catch(() => undefined)
    const timer = setTimeout(ahead, AFTERWARDS_MS)
    return () => clearTimeout(timer)
  }, [])
  if (reference === undefined) return null
  return (
    <Suspense>
      <PaymentOver {...props} reference={reference} />
    </Suspense>
  )
}
