import { t } from '@lingui/core/macro'

import { ChoosePasswordForm } from '../features/auth/ChoosePasswordForm.tsx'
import { useTokenOfAddress } from '../lib/navigation/address-token.ts'
import { useGo } from '../lib/navigation/navigate.ts'

export function CreatePasswordRoute() {
  const token = useTokenOfAddress('resetPasswordToken')
  const go = useGo()
  return (
    <ChoosePasswordForm
      title={t`Create a new password`}
      token={token}
      onChosen={() => go('/login?reason=password', { replace: true })}
    />
  )
}
