import { Trans } from '@lingui/react/macro'
import { useEffect } from 'react'

import { logOut } from '../api/auth.ts'
import { endSession, storedUser } from '../api/session.ts'
import { paths } from '../lib/paths.ts'
import { useGo } from '../lib/navigation/navigate.ts'

export function LogoutRoute() {
  const go = useGo()
  useEffect(() => {
    const leave = async () => {
      // The device forgets the key whatever the server says; an unreachable server ends the session by its own clock.
      if (storedUser() !== undefined) await logOut().catch(() => undefined)
      endSession('signed-out')
      go(paths.signIn({ reason: 'signed-out' }), { replace: true })
    }
    void leave()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- signing out happens once per visit
  }, [])
  return (
    <p role="status" className="mx-auto text-body text-muted">
      <Trans>Signing out…</Trans>
    </p>
  )
}
