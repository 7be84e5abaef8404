/** The second step of a sign-in, and the passkey that is both: loaded when one of them is wanted. */
import { factorRoutes } from '@kassa/contract/auth/factor-routes.ts'
import { SecondStep } from '@kassa/contract/auth/factor-schemas.ts'
import type { SignedIn } from '@kassa/contract/auth/schemas.ts'

import { askPasskeyOf, type PasskeyJson } from '../lib/device/passkeys.ts'
import { keepSignedIn } from './auth.ts'
import { call } from './client.ts'
import { RequestError } from './request-error.ts'

export type { SecondStep } from '@kassa/contract/auth/factor-schemas.ts'

/** Reads what a refused sign-in asks for. @throws RequestError when it is unreadable */
export function secondStepOf(refusal: RequestError): SecondStep {
  const read = SecondStep.safeParse(refusal.data)
  if (read.success) return read.data
  throw refusal
}

export type SecondProof =
  | { readonly method: 'totp' | 'backup'; readonly code: string }
  | { readonly method: 'passkey'; readonly assertion: PasskeyJson }

/** Finishes a sign-in. @throws RequestError */
export async function finishSignIn(challengeToken: string, proof: SecondProof): Promise<SignedIn> {
  return keepSignedIn(await call(factorRoutes.finishSignIn, { body: { challengeToken, ...proof } }))
}

/**
 * Signs in with whichever passkey the person chooses; undefined when they chose none. With `inList` it waits until one is chosen
 * from the list of the e-mail field. @throws RequestError
 */
export async function signInWithPasskey({ inList = false } = {}): Promise<SignedIn | undefined> {
  const { challengeId, publicKey } = await call(factorRoutes.askPasskey, {})
  const assertion = await askPasskeyOf(publicKey, { inList })
  if (assertion === undefined) return undefined
  return keepSignedIn(await call(factorRoutes.signInWithPasskey, { body: { challengeId, assertion } }))
}
