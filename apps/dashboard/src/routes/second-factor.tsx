import { AddSecondFactor } from '../features/security/AddSecondFactor.tsx'
import { StepUpDialog } from '../features/step-up/StepUpDialog.tsx'
import { useGo } from '../lib/navigation/navigate.ts'
import { useSearchState } from '../lib/navigation/search.ts'
import { paths } from '../lib/paths.ts'

export function SecondFactorRoute() {
  const [{ next = '' }] = useSearchState()
  const go = useGo()
  // With a key stored, the guard sends /login on to the page that was asked for.
  return (
    <>
      <AddSecondFactor onDone={() => go(paths.signIn({ next }), { replace: true })} />
      {/* Who signed in long ago proves that it is them. Pages of operators have this in their shell. */}
      <StepUpDialog />
    </>
  )
}
