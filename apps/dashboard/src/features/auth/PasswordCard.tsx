import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { meQuery } from '../../api/me.ts'
import { SPEC_TEXTS } from '../../lib/text/spec-texts.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { Card } from '../../ui/places/Card.tsx'
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx'

/** The way to another password. */
export function PasswordCard() {
  const { data: me } = useQuery(meQuery)
  const email = me?.email
  const [isChanging, setChanging] = useState(false)
  return (
    <Card
      title={t`Password`}
      actions={<Button onClick={() => setChanging(true)}>{t(SPEC_TEXTS.changePassword)}</Button>}
    >
      <p className="text-body text-muted">
        {email === undefined ? (
          <Trans>Changing it signs out every other device.</Trans>
        ) : (
          <Trans>You sign in as {email}. Changing the password signs out every other device.</Trans>
        )}
      </p>
      {isChanging && <ChangePasswordDialog email={email ?? ''} onClose={() => setChanging(false)} />}
    </Card>
  )
}
