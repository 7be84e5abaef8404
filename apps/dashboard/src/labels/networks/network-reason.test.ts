import { NETWORK_NOTICES, STOP_REASONS } from '@kassa/contract/blockchains/reading-reasons.ts'
import { type Cause, type CodeOf, textOf, withText } from '@kassa/contract/kit/reason.ts'
import { describe, expect, it } from 'vitest'

import { networkNotice, networkReason } from './network-reason.ts'

type Samples<C extends typeof STOP_REASONS | typeof NETWORK_NOTICES> = {
  readonly [Code in CodeOf<C>]: readonly Extract<Cause<C>, { code: Code }>['params'][]
}

const STOPS: Samples<typeof STOP_REASONS> = {
  halted: [
    { halt: { case: 'too_deep', limit: 64, height: 500 } },
    { halt: { case: 'below_final', height: 501 } },
    { halt: { case: 'spent', detail: 'deposit:7 takes too much' } },
    { halt: { case: 'resume_block_gone', height: 502 } },
    { halt: { case: 'resume_spent', height: 503, detail: 'deposit:7 takes too much' } },
  ],
  read_failed: [{ error: 'rpc.example: HTTP 503' }],
  no_process: [{}],
}

const NOTICES: Samples<typeof NETWORK_NOTICES> = {
  block_unreadable: [{ height: 500 }],
  internal_transfers_hidden: [{ network: 'TRON', height: 500 }],
  finality_stalled: [
    { height: 500, minutes: 7, fromUSD: '10000.00' },
    { height: 500, minutes: 7, fromUSD: null },
  ],
  unknown_notice: [{ text: 'Of another version.' }],
}

const listed = <C extends typeof STOP_REASONS | typeof NETWORK_NOTICES>(samples: Samples<C>) =>
  Object.entries(samples).flatMap(([code, all]) =>
    (all as readonly object[]).map((params) => ({ code, params }) as Cause<C>),
  )

/** What must stand in the sentence: every number and text among the parameters, but the name of the case. */
function values(params: unknown): string[] {
  if (typeof params === 'number') return [String(params)]
  if (typeof params === 'string') return [params === '10000.00' ? '$10,000' : params]
  if (typeof params !== 'object' || params === null) return []
  return Object.entries(params).flatMap(([name, value]) => (name === 'case' ? [] : values(value)))
}

const shown = { reason: 'In another language.', notice: 'In another language.' }

describe('networkReason', () => {
  it.each(listed<typeof STOP_REASONS>(STOPS))('says all of $code $params, here and in English', (cause) => {
    const here = networkReason({ ...shown, cause: { ...cause, text: shown.reason } })
    expect(here).not.toBe(shown.reason)
    for (const value of values(cause.params)) {
      expect(here).toContain(value)
      expect(textOf(STOP_REASONS, cause)).toContain(value)
    }
  })

  it('stays as the server wrote it for a code that is new, or where there is none', () => {
    const strange = { code: 'moon', params: {}, text: 'The moon is full.' } as never
    expect(networkReason({ reason: 'The moon is full.', cause: strange })).toBe('The moon is full.')
    expect(networkReason({ reason: null, cause: null })).toBeNull()
  })
})

describe('networkNotice', () => {
  it.each(listed<typeof NETWORK_NOTICES>(NOTICES))('says all of $code $params, here and in English', (cause) => {
    const here = networkNotice({ ...shown, noticeCause: { ...cause, text: shown.notice } })
    expect(here).not.toBe(shown.notice)
    for (const value of values(cause.params)) {
      expect(here).toContain(value)
      expect(textOf(NETWORK_NOTICES, cause)).toContain(value)
    }
  })

  it('says that all deposits wait, or from which amount on', () => {
    const of = (fromUSD: string | null) => {
      const cause = { code: 'finality_stalled', params: { height: 88, minutes: 1, fromUSD } } as const
      return networkNotice({ notice: null, noticeCause: withText(NETWORK_NOTICES, cause) })
    }
    expect(of(null)).toBe('Nothing has become final above block 88 for 1 minute. Deposits wait for it.')
    expect(of('10000.00')).toMatch(
      /Deposits of .?\$10,000\.00.? or more wait for it; smaller ones follow their depth\.$/,
    )
  })

  it('is null where there is nothing to know', () => {
    expect(networkNotice({ notice: null, noticeCause: null })).toBeNull()
  })
})
