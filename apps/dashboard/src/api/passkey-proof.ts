import { authRoutes } from '@kassa/contract/auth/routes.ts'

import { askPasskeyOf } from '../lib/device/passkeys.ts'
import { call } from './client.ts'
import { describeAction, type DescribedAction } from './presence.ts'
import type { StepUpProof } from './step-up.ts'

/**
 * Proves presence with a passkey, which answers the question of a described action; one that asks for presence alone is
 * described here. Null when the person ended it. @throws RequestError
 */
export async function provePasskey(action: string, described?: DescribedAction): Promise<StepUpProof | null> {
  const { challengeId, publicKey } = described ?? (await describeAction(action, {}))
  const assertion = await askPasskeyOf(publicKey ?? {})
  if (assertion === undefined) return null
  const body = { method: 'passkey' as const, challengeId, assertion }
  return { token: (await call(authRoutes.stepUp, { body })).stepUpToken }
}
