import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { meQuery } from '../../api/me.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx'

/** The way to another password. */
export function PasswordCard() {
  const { data: me } = useQuery(meQuery)
  const [isChanging, setChanging] = useState(false)
  return (
    <Card
      title={t`Password`}
      actions={
        <Button onClick={() => setChanging(true)}>
          <Trans>Change Password</Trans>
        </Button>
      }
    >
      <p className="text-body text-muted">
        <Trans>
          {me === undefined ? t`Changing it ` : t`You sign in as ${me.email}. Changing the password `}
          signs out every other device.
        </Trans>
      </p>
      {isChanging && <ChangePasswordDialog email={me?.email ?? ''} onClose={() => setChanging(false)} />}
    </Card>
  )
}
