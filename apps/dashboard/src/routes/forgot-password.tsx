import { t } from '@lingui/core/macro'

import { ForgotPasswordForm } from '../features/auth/ForgotPasswordForm.tsx'
import { useSearchState } from '../lib/navigation/search.ts'

export function ForgotPasswordRoute() {
  const [{ reason }] = useSearchState()
  return <ForgotPasswordForm notice={reason === 'reset' ? t`Choose a new password to go on.` : undefined} />
}
