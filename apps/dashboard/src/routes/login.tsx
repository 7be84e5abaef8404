import type { SignedIn } from '@kassa/contract/auth/schemas.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'

import { rootExistsQuery } from '../api/auth.ts'
import { meQuery } from '../api/me.ts'
import { onSignInElsewhere } from '../api/session.ts'
import { SignInForm } from '../features/auth/SignInForm.tsx'
import { paths } from '../lib/paths.ts'
import { useGo, useRedirect } from '../lib/navigation/navigate.ts'
import { useSearchState } from '../lib/navigation/search.ts'

/** Sentences for those who were sent here. */
const NOTICES: Readonly<Record<string, MessageDescriptor>> = {
  'signed-out': msg`You’re signed out.`,
  lost: msg`You were signed out. Sign in again.`,
  changed: msg`You were signed out because your password changed. Sign in with the new one.`,
  password: msg`Password changed. Sign in with the new password.`,
  chosen: msg`Your password is saved. Sign in with it.`,
  closed: msg`The first account already exists. Ask an administrator for an invitation.`,
}

export function LoginRoute() {
  const { data: rootExists } = useQuery(rootExistsQuery)
  const [{ reason = '', next = '' }] = useSearchState()
  const queryClient = useQueryClient()
  const go = useGo()
  useRedirect(rootExists === false ? paths.signUp() : undefined)
  // With a key stored, the guard sends /login on to the page that was asked for.
  const openNext = () => {
    // While the page that follows still loads, so that it has the account's theme from the start.
    queryClient.query(meQuery).catch(() => undefined)
    go(paths.signIn({ next }), { replace: true })
  }
  const onSignedIn = ({ resetPasswordRequired, resetPasswordToken, secondFactor }: SignedIn) => {
    if (resetPasswordRequired) {
      return go(paths.setPassword({ resetPasswordToken: resetPasswordToken ?? '' }), { replace: true })
    }
    // An operator who has just chosen a first password is offered a second factor, and asked for it where one is required.
    const isOffered = secondFactor.setupRequired || (reason === 'chosen' && !secondFactor.enrolled)
    if (isOffered) return go(paths.secondFactor({ next }), { replace: true })
    openNext()
  }
  const follow = useEffectEvent(openNext)
  useEffect(() => onSignInElsewhere(follow), [])
  if (rootExists === false) return null
  const notice = NOTICES[reason]
  return <SignInForm notice={notice && t(notice)} onSignedIn={onSignedIn} />
}
