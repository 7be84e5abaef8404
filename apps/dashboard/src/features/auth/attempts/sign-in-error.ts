import { t } from '@lingui/core/macro'

import { RequestError } from '../../../api/request-error.ts'
import { SPEC_TEXTS } from '../../../lib/text/spec-texts.ts'

/** Returns the sentence of a sign-in or sign-up that failed (specification §8). */
export function authErrorText(thrown: unknown): string {
  if (!(thrown instanceof RequestError) || thrown.isLost) return t(SPEC_TEXTS.unexpected)
  if (thrown.message !== '') return thrown.message
  return thrown.status === 400 ? t(SPEC_TEXTS.badRequest) : t(SPEC_TEXTS.unexpected)
}

/** Returns how many seconds a password may not be tried again; 0 when it may. */
export function throttledSeconds(thrown: unknown): number {
  if (!(thrown instanceof RequestError) || thrown.code !== 'SIGN_IN_THROTTLED') return 0
  const { seconds } = thrown.data
  return typeof seconds === 'number' && seconds > 0 ? Math.ceil(seconds) : 1
}
