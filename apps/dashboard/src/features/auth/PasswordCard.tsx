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
    <Card title="Password" actions={<Button onClick={() => setChanging(true)}>Change Password</Button>}>
      <p className="text-body text-muted">
        {me === undefined ? 'Changing it ' : `You sign in as ${me.email}. Changing the password `}
        signs out every other device.
      </p>
      {isChanging && <ChangePasswordDialog email={me?.email ?? ''} onClose={() => setChanging(false)} />}
    </Card>
  )
}
