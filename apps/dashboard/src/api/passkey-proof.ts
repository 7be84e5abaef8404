import { authRoutes } from '@kassa/contract/auth/routes.ts'

import { askPasskeyOf } from '../lib/device/passkeys.ts'
import { call } from './client.ts'

/** Proves presence with a passkey, for an action of the catalogue; false when the person ended it. @throws RequestError */
export async function provePasskey(action: string): Promise<boolean> {
  const { challengeId, publicKey } = await call(authRoutes.prepareStepUp, { body: { action, subject: {} } })
  const assertion = await askPasskeyOf(publicKey ?? {})
  if (assertion === undefined) return false
  await call(authRoutes.stepUp, { body: { method: 'passkey', challengeId, assertion } })
  return true
}
