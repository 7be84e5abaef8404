import { ForgotPasswordForm } from '../features/auth/ForgotPasswordForm.tsx'
import { useSearchState } from '../lib/search.ts'

export function ForgotPasswordRoute() {
  const [{ reason }] = useSearchState()
  return <ForgotPasswordForm notice={reason === 'reset' ? 'Choose a new password to go on.' : undefined} />
}
