import type { OwnFactors } from '@kassa/contract/auth/factor-schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { failureOf } from '../../../api/form-failure.ts'
import { useFactorChanges } from '../../../api/second-factor.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { Card } from '../../../ui/places/Card.tsx'

/** The authenticator app of the operator. */
export function AuthenticatorApp({ own, onAdd }: { own: OwnFactors; onAdd: () => void }) {
  const { removeTotp } = useFactorChanges()
  const [isAsked, setAsked] = useState(false)
  const remove = async () => {
    const failure = await failureOf(removeTotp)
    setAsked(false)
    if (failure === undefined) toast.success(t`Authenticator app removed`)
    else toast.error(failure)
  }
  return (
    <Card
      title={t`Authenticator app`}
      actions={
        own.totp ? (
          <Button onClick={() => setAsked(true)}>
            <Trans>Remove app</Trans>
          </Button>
        ) : (
          <Button onClick={onAdd}>
            <Trans>Add authenticator app</Trans>
          </Button>
        )
      }
    >
      <p className="text-body text-muted">
        {own.totp
          ? t`Set up. Its code is asked for after the password.`
          : t`A phone shows a code that changes every 30 seconds.`}
      </p>
      {isAsked && (
        <ConfirmDialog
          title={t`Remove the authenticator app?`}
          action={t`Remove app`}
          onConfirm={remove}
          onClose={() => setAsked(false)}
        >
          <Trans>Its codes are taken no longer, and other devices are signed out.</Trans>
        </ConfirmDialog>
      )}
    </Card>
  )
}
