import { LaterByMail } from '../features/auth/LaterByMail.tsx'
import { useSearchState } from '../lib/search.ts'

export function ForgotPasswordRoute() {
  const [{ reason }] = useSearchState()
  return (
    <LaterByMail
      title="Forgot password"
      text="This server does not send reset links by mail yet; an administrator with access to the server can help."
      notice={reason === 'reset' ? 'Choose a new password to go on.' : undefined}
    />
  )
}
