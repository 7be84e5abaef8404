import { Suspense, useSyncExternalStore } from 'react'

import { onStepUp, waitingStepUp } from '../../api/step-up.ts'
import { usePrefetch } from '../../lib/loading/prefetch.ts'
import { lazyLayer } from '../../ui/overlays/lazy-load.ts'

const loadProof = async () => ({ default: (await import('./PasswordProof.tsx')).PasswordProof })
const PasswordProof = lazyLayer(loadProof)
const FactorProof = lazyLayer(async () => ({ default: (await import('./FactorProof.tsx')).FactorProof }))

/** Asks for proof of presence while a call waits for it. Closing it ends the wait, also where it could not be loaded. */
export function StepUpDialog() {
  const ask = useSyncExternalStore(onStepUp, waitingStepUp)
  usePrefetch(loadProof)
  // A second factor takes the place of the password once there is one.
  const Proof = ask?.methods.includes('password') === false ? FactorProof : PasswordProof
  return <Suspense>{ask !== undefined && <Proof key={ask.id} ask={ask} onClose={() => ask.settle(null)} />}</Suspense>
}
