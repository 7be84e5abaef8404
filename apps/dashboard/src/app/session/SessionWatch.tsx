import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import { onSessionEnd } from '../../api/session.ts'
import type { SessionEnd } from '../../api/session.ts'
import { paths } from '../../lib/paths.ts'
import { useHistory } from '../../lib/navigation/navigate.ts'
import { isPublicPath } from '../navigation/guard.ts'

/** The reason that the sign-in page shows when a session ended without a request of this tab. */
const REASONS = {
  unauthorized: 'lost',
  'password-changed': 'changed',
  'signed-out-elsewhere': 'signed-out',
} as const

/** Leaves the shell when the session is over, here or in another tab, and forgets all data of the server. */
export function SessionWatch() {
  const history = useHistory()
  const queryClient = useQueryClient()
  useEffect(
    () =>
      onSessionEnd((end) => {
        queryClient.clear()
        const { pathname = '/', href = '/' } = history?.location ?? {}
        if (end !== 'reset-password' && isPublicPath(pathname)) return
        history?.replace(exit(end, href))
      }),
    [history, queryClient],
  )
  return null
}

/** Who did not leave of their own accord comes back to where they were. */
function exit(end: SessionEnd, href: string): string {
  if (end === 'reset-password') return paths.forgotPassword({ reason: 'reset' })
  if (end === 'signed-out') return paths.signIn({ reason: 'signed-out' })
  return paths.signIn({ reason: REASONS[end], next: href })
}
