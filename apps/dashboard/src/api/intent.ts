import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'

import { randomId } from '../lib/random-id.ts'
import { RequestError } from './request-error.ts'

export type Intent = <Answer>(input: unknown, send: (idempotencyKey: string) => Promise<Answer>) => Promise<Answer>

/** Keys of calls about which no answer decided, by what they ask for: a form that is opened again goes on with them. */
export type UndecidedKeys = Map<string, { readonly key: string; readonly since: number }>

/** Who asks for the same later than this has seen what became of it, and means another one. */
const UNDECIDED_MS = 3_600_000

/** One intent: what it asks for, under which key, and whether a call of it may have had its effect. */
type Attempt = { readonly text: string; readonly key: string; isUndecided: boolean }

/**
 * Returns a sender that gives each submit intent one idempotency key: a repetition after a lost answer re-uses it, an
 * edited input or a definite answer ends it. With `undecided` a form that was closed meanwhile re-uses it too.
 */
export function useIntent(undecided?: UndecidedKeys): Intent {
  const current = useRef<Attempt>(undefined)
  return async (input, send) => {
    const text = JSON.stringify(input)
    const before = current.current?.text === text ? current.current : undefined
    const attempt = before ?? attemptOf(text, undecided)
    current.current = attempt
    const end = () => {
      if (current.current === attempt) current.current = undefined
      undecided?.delete(text)
    }
    try {
      const answer = await send(attempt.key)
      end()
      return answer
    } catch (thrown) {
      if (thrown instanceof RequestError && !thrown.isDecision) {
        attempt.isUndecided ||= thrown.isUndecided
        thrown.isAfterUndecided = attempt.isUndecided
        if (attempt.isUndecided) undecided?.set(text, { key: attempt.key, since: Date.now() })
      } else end()
      throw thrown
    }
  }
}

function attemptOf(text: string, undecided: UndecidedKeys | undefined): Attempt {
  const known = undecided?.get(text)
  const isFresh = known !== undefined && Date.now() - known.since < UNDECIDED_MS
  return { text, key: isFresh ? known.key : randomId(), isUndecided: isFresh }
}

/** An intent after which what is shown of these nouns is read again, refused or not: a refusal means that it was out of date. */
export function useChange(...nouns: readonly string[]): Intent {
  return useRefreshing(useIntent(), nouns)
}

/** The same for what must not happen twice, also where the form was closed and opened again before an answer decided. */
export function useLastingChange(undecided: UndecidedKeys, ...nouns: readonly string[]): Intent {
  return useRefreshing(useIntent(undecided), nouns)
}

function useRefreshing(intent: Intent, nouns: readonly string[]): Intent {
  const queryClient = useQueryClient()
  return async (input, send) => {
    try {
      return await intent(input, send)
    } finally {
      for (const noun of nouns) void queryClient.invalidateQueries({ queryKey: [noun] })
    }
  }
}
