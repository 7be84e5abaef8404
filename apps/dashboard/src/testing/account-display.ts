import type { SentCall } from './stub-server.ts'
import { me } from './answers.ts'

/** A server that keeps the display settings of the account. */
export function displayOfAccount(first: object = {}) {
  let display: Record<string, unknown> = { ...me().display, ...first }
  return {
    display: () => display,
    /** As another window of the operator does. */
    change: (settings: object) => void (display = { ...display, ...settings }),
    answers: {
      'GET /member/me': () => ({ ...me(), display }),
      'PATCH /member/me': ({ body }: SentCall) => {
        display = { ...display, ...(body as { display: object }).display }
        const {
          secondFactor: _facts,
          permissions: _permissions,
          stepUp: _stepUp,
          sessionExpiresAt: _end,
          ...facts
        } = me()
        return { ...facts, secondFactor: false }
      },
    },
  }
}
