import { AddSecondFactor } from '../features/security/AddSecondFactor.tsx'
import { useGo } from '../lib/navigation/navigate.ts'
import { useSearchState } from '../lib/navigation/search.ts'
import { paths } from '../lib/paths.ts'

export function SecondFactorRoute() {
  const [{ next = '' }] = useSearchState()
  const go = useGo()
  // With a key stored, the guard sends /login on to the page that was asked for.
  return <AddSecondFactor onDone={() => go(paths.signIn({ next }), { replace: true })} />
}
