import { useRef } from 'react'

import { randomId } from '../lib/random-id.ts'
import { RequestError } from './request-error.ts'

export type Intent = <Answer>(input: unknown, send: (idempotencyKey: string) => Promise<Answer>) => Promise<Answer>

/**
 * Returns a sender that gives each submit intent one idempotency key: a repetition after a lost answer re-uses it, an
 * edited input or a definite answer ends it.
 */
export function useIntent(): Intent {
  const current = useRef<{ text: string; key: string }>(undefined)
  return async (input, send) => {
    const text = JSON.stringify(input)
    if (current.current?.text !== text) current.current = { text, key: randomId() }
    try {
      const answer = await send(current.current.key)
      current.current = undefined
      return answer
    } catch (thrown) {
      if (!(thrown instanceof RequestError && thrown.isLost)) current.current = undefined
      throw thrown
    }
  }
}
