import { passwordRoutes } from '@kassa/contract/auth/password-routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import type { SignedIn } from '@kassa/contract/auth/schemas.ts'
import { queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'
import { endSession, storedUser, storeUser } from './session.ts'

const installQuery = queryOptions({
  queryKey: ['root-exists'],
  queryFn: ({ signal }) => call(authRoutes.rootExists, {}, { signal }),
  retry: false,
})

/** Whether the first account exists; a fresh install leads to sign-up. */
export const rootExistsQuery = queryOptions({ ...installQuery, select: ({ exist }) => exist })

/** Whether the server can send e-mail; undefined where it does not say. */
export const canMailQuery = queryOptions({ ...installQuery, select: ({ mail }) => mail })

export type Credentials = { readonly email: string; readonly password: string }

/** Signs in and keeps the user on this device. @throws RequestError */
export async function signIn(credentials: Credentials): Promise<SignedIn> {
  return keepSignedIn(await call(authRoutes.signIn, { body: credentials }))
}

/** Creates the first account, which signs it in. @throws RequestError */
export async function signUp(account: Credentials & { readonly setupCode?: string }): Promise<SignedIn> {
  return keepSignedIn(await call(authRoutes.signUp, { body: account }))
}

/** A server that does not answer keeps nobody signed in on this device. */
const LOG_OUT_WITHIN_MS = 5_000

/** Ends the session on the server. @throws RequestError */
export async function logOut(): Promise<void> {
  await call(authRoutes.logOut, { body: {} }, { signal: AbortSignal.timeout(LOG_OUT_WITHIN_MS) })
}

/** Signs out whoever is signed in on this device, whatever the server answers: the password that was chosen may be of another account. */
export async function leaveFormerSession(): Promise<void> {
  if (storedUser() === undefined) return
  await logOut().catch(() => undefined)
  endSession('signed-out')
}

/** Asks for a link to choose a new password; the answer is the same whether the address is known or not. @throws RequestError */
export async function forgotPassword(email: string): Promise<void> {
  await call(passwordRoutes.forgotPassword, { body: { email, url: window.location.origin } })
}

/** What a link is for; reading it does not use it. */
export const passwordTokenQuery = (token: string) =>
  queryOptions({
    queryKey: ['password-token', token],
    queryFn: ({ signal }) => call(passwordRoutes.readPasswordToken, { body: { token } }, { signal }),
    retry: false,
    staleTime: Infinity,
  })

/** Chooses a password with a link; returns what the server says about it. @throws RequestError */
export async function resetPassword(choice: { readonly password: string; readonly resetPasswordToken: string }) {
  const { message } = await call(passwordRoutes.resetPassword, { body: choice })
  return message
}

/** Keeps the user of a sign-in on this device. */
export function keepSignedIn(signedIn: SignedIn): SignedIn {
  const { key, role } = signedIn
  storeUser({ key, role: { name: role?.name ?? '' }, rootExists: true })
  return signedIn
}
