import { t } from '@lingui/core/macro'

import { ChoosePasswordForm } from '../features/auth/ChoosePasswordForm.tsx'
import { paths } from '../lib/paths.ts'
import { useTokenOfAddress } from '../lib/navigation/address-token.ts'
import { useGo } from '../lib/navigation/navigate.ts'

export function SetPasswordRoute() {
  const token = useTokenOfAddress('resetPasswordToken')
  const go = useGo()
  return (
    <ChoosePasswordForm
      title={t`Set your password`}
      token={token}
      isFirst
      onChosen={() => go(paths.signIn({ reason: 'chosen' }), { replace: true })}
    />
  )
}
