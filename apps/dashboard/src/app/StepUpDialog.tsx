import { Suspense, useSyncExternalStore } from 'react'

import { onStepUp, waitingStepUp } from '../api/step-up.ts'
import { lazyPart } from '../ui/lazy-part.ts'

const PasswordProof = lazyPart(async () => ({ default: (await import('./PasswordProof.tsx')).PasswordProof }))

/** Asks for proof of presence while a call waits for it. */
export function StepUpDialog() {
  const ask = useSyncExternalStore(onStepUp, waitingStepUp)
  return <Suspense>{ask !== undefined && <PasswordProof key={ask.action} ask={ask} />}</Suspense>
}
