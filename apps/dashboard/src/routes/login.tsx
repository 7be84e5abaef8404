import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'

import { rootExistsQuery } from '../api/auth.ts'
import { SignInForm } from '../features/auth/SignInForm.tsx'
import { useGo } from '../lib/navigate.ts'
import { useSearchState } from '../lib/search.ts'

/** Sentences for those who were sent here. */
const NOTICES: Readonly<Record<string, string>> = {
  'signed-out': 'You’re signed out.',
  lost: 'You were signed out. Sign in again.',
  closed: 'The first account already exists. Ask an administrator for an invitation.',
}

export function LoginRoute() {
  const { data: rootExists } = useQuery(rootExistsQuery)
  const [{ reason = '', next = '' }] = useSearchState()
  const go = useGo()
  if (rootExists === false) return <Navigate to="/signup" replace />
  const onSignedIn = (token: string | undefined) => {
    // With a key stored, the guard sends /login on to the page that was asked for.
    if (token === undefined) go(`/login?next=${encodeURIComponent(next)}`, { replace: true })
    else go(`/setPassword?resetPasswordToken=${encodeURIComponent(token)}`, { replace: true })
  }
  return <SignInForm notice={NOTICES[reason]} onSignedIn={onSignedIn} />
}
