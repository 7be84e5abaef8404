import { ApiError } from '@kassa/contract/kit/api-error.ts'

/** Why something was refused: the page translates the code; `seconds` says when to try again. */
export type Refused = { readonly code: string; readonly text: string; readonly seconds?: number }

/** Makes an attempt; returns why it was refused, or null. @throws failures, which are no refusals */
export async function refusedOr(attempt: () => Promise<void>): Promise<Refused | null> {
  try {
    await attempt()
    return null
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown
    if (thrown.status >= 500 && thrown.code !== 'RATE_UNAVAILABLE') throw thrown
    const { code, message, details, retryAfter: seconds } = thrown
    const text = details === message ? message : `${message} ${details}`
    return { code, text, ...(seconds !== undefined && { seconds }) }
  }
}
