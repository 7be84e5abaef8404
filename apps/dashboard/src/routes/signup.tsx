import { useQuery, useQueryClient } from '@tanstack/react-query'

import { rootExistsQuery } from '../api/auth.ts'
import { SignUpForm } from '../features/auth/SignUpForm.tsx'
import { paths } from '../lib/paths.ts'
import { useGo, useRedirect } from '../lib/navigation/navigate.ts'

export function SignupRoute() {
  const { data: rootExists } = useQuery(rootExistsQuery)
  const queryClient = useQueryClient()
  const go = useGo()
  useRedirect(rootExists === true ? paths.signIn({ reason: 'closed' }) : undefined)
  // The answer now known leads to the sign-in page, with the reason.
  const onClosed = () => void queryClient.setQueryData(rootExistsQuery.queryKey, { exist: true })
  if (rootExists === true) return null
  // With a key stored, the guard sends it on to the dashboard.
  return <SignUpForm onSignedUp={() => go(paths.signIn(), { replace: true })} onClosed={onClosed} />
}
