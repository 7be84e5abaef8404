import { describe, expect, it } from 'vitest'

import { entriesOfMoves, type Move, personKey } from './postings.ts'

const USD = 1_000_001

const move = (id: number, units: bigint, referrer_id = 7): Move => ({
  reward: { id: BigInt(id), project_id: 1, referrer_id, unit_id: USD, revision: 2 },
  units,
})
/** What the moves post, of people who hold this. */
const posted = (moves: readonly Move[], held: Readonly<Record<number, readonly [ready: bigint, owing: bigint]>>) => {
  const people = Object.entries(held).map(([id, [ready, owing]]) => {
    return [personKey({ referrer_id: Number(id), unit_id: USD }), { ready, owing }] as const
  })
  return entriesOfMoves(moves, new Map(people)).map(({ source, lines }) => [
    source,
    ...lines.map(({ debit, credit, units }) => `${debit.kind} → ${credit.kind} ${units}`),
  ])
}

describe('referral.entriesOfMoves', () => {
  it('takes a person’s available rewards once, and lets them owe the rest, over all transitions', () => {
    expect(posted([move(1, -6n), move(2, -6n), move(3, -6n)], { 7: [10n, 0n] })).toEqual([
      ['reward:1:reverse:2', 'referral:payable → referral:expense 6'],
      ['reward:2:reverse:2', 'referral:payable → referral:expense 4', 'referral:receivable → referral:expense 2'],
      ['reward:3:reverse:2', 'referral:receivable → referral:expense 6'],
    ])
  })

  it('makes up for what a person owes once, over all moves', () => {
    expect(posted([move(1, 6n), move(2, 6n), move(3, -5n)], { 7: [0n, 8n] })).toEqual([
      ['reward:1:accrue:2', 'referral:expense → referral:payable 6'],
      ['reward:1:offset:2', 'referral:payable → referral:receivable 6'],
      ['reward:2:accrue:2', 'referral:expense → referral:payable 6'],
      ['reward:2:offset:2', 'referral:payable → referral:receivable 2'],
      ['reward:3:reverse:2', 'referral:payable → referral:expense 4', 'referral:receivable → referral:expense 1'],
    ])
  })

  it('takes nothing of one person for another', () => {
    expect(posted([move(1, -6n), move(2, -6n, 8)], { 7: [6n, 0n], 8: [0n, 0n] })).toEqual([
      ['reward:1:reverse:2', 'referral:payable → referral:expense 6'],
      ['reward:2:reverse:2', 'referral:receivable → referral:expense 6'],
    ])
  })
})
