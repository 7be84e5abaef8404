/** An authenticator app, whose codes count once each. */
import { totpCode } from '../apps/server/src/modules/auth/factors/totp.ts'
import { base32 } from '../apps/server/src/testing/accounts/factors.ts'
import { until } from './until.ts'

const STEP_MS = 30_000

/** So long after a code was read it is sent at the latest, on a machine with much to do. */
const SENT_WITHIN_MS = 20_000

/** Gives, with each call, a code that was not given before and that counts long enough to be sent. */
export function openAuthenticator(secret: string): () => Promise<string> {
  let last = 0
  return async () => {
    // The step before the present one and the one after it count as well: this is the earliest that still will.
    const earliest = Math.floor((Date.now() + SENT_WITHIN_MS) / STEP_MS) - 1
    const step = Math.max(last + 1, earliest)
    await until(
      'the next code to count',
      () => Math.floor(Date.now() / STEP_MS),
      (now) => now >= step - 1,
    )
    last = step
    return totpCode(base32(secret), step)
  }
}
