import { describe, expect, it } from 'vitest'

import type { Attempt, Send } from '../record/send.ts'
import { isDue, sendsToBump } from './rules.ts'

const NOW = Date.UTC(2026, 0, 5, 9)
const DAY_MS = 86_400_000

describe('sends.isDue', () => {
  it.each([
    ['was never done', undefined, true],
    ['was done a moment ago', NOW - 1_000, false],
    ['was done long enough ago', NOW - 30_000, true],
    ['was done by a clock that is a second ahead', NOW + 1_000, false],
    ['was done by a clock that was a day ahead', NOW + DAY_MS, true],
  ])('what %s', (_, doneAt, expected) => {
    expect(isDue(doneAt, 30_000, NOW)).toBe(expected)
  })
})

describe('sends.sendsToBump', () => {
  const waiting = (sequence: bigint, firstSentAt: number) => ({
    send: { walletId: 1, sequence } as Send,
    attempts: [{ firstSentAt: new Date(firstSentAt), mined: null } as Attempt],
  })

  it('raises the fee of the first of a wallet that waited, also where a clock was a day ahead', () => {
    for (const sentAt of [NOW - 30_000, NOW + DAY_MS]) {
      const [first, second] = [waiting(4n, sentAt), waiting(5n, sentAt)]
      expect(sendsToBump([first, second], 30_000, NOW)).toEqual([first])
    }
    expect(sendsToBump([waiting(4n, NOW + 1_000)], 30_000, NOW)).toEqual([])
  })
})
