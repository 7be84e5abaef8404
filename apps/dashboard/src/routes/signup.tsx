import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'

import { rootExistsQuery } from '../api/auth.ts'
import { SignUpForm } from '../features/auth/SignUpForm.tsx'
import { useGo } from '../lib/navigate.ts'

export function SignupRoute() {
  const { data: rootExists } = useQuery(rootExistsQuery)
  const queryClient = useQueryClient()
  const go = useGo()
  if (rootExists === true) return <Navigate to="/login" search={{ reason: 'closed' } as never} replace />
  const toLogin = (href: string) => {
    queryClient.setQueryData(rootExistsQuery.queryKey, { exist: true })
    go(href, { replace: true })
  }
  return <SignUpForm onSignedUp={() => toLogin('/login')} onClosed={() => toLogin('/login?reason=closed')} />
}
