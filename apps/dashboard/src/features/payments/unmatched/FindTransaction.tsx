import { Suspense } from 'react'

import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import type { FindTransactionProps } from './FindTransactionDialog.tsx'

const Dialog = lazyLayer(async () => {
  const { FindTransactionDialog } = await import('./FindTransactionDialog.tsx')
  return { default: FindTransactionDialog }
})

/** Looks one transaction up; its code is loaded when it is first asked for. */
export function FindTransaction(props: FindTransactionProps) {
  return (
    <Suspense fallback={null}>
      <Dialog {...props} />
    </Suspense>
  )
}
