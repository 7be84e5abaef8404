import { useQueryClient } from '@tanstack/react-query'
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

/** An intent after which what is shown of these nouns is read again, refused or not: a refusal means that it was out of date. */
export function useChange(...nouns: readonly string[]): Intent {
  const intent = useIntent()
  const queryClient = useQueryClient()
  return async (input, send) => {
    try {
      return await intent(input, send)
    } finally {
      for (const noun of nouns) void queryClient.invalidateQueries({ queryKey: [noun] })
    }
  }
}
