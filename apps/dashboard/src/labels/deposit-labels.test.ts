import { depositMachine } from '@kassa/contract/deposits/machine.ts'
import { describe, expect, it } from 'vitest'

import { depositBadge, depositReason } from './deposit-labels.ts'

describe('depositBadge', () => {
  it('draws every state of the machine', () => {
    const drawn = depositMachine.states.map((status) =>
      depositBadge({ status, confirmations: 0, confirmationRequired: 12 }),
    )
    expect(drawn.map(({ tone, word }) => `${tone}: ${word}`)).toEqual([
      'progress: Seen',
      'success: Credited',
      'warning: Unmatched',
      'danger: On hold',
      'danger: Dropped by the network',
      'neutral: Ignored',
    ])
  })

  it('counts the confirmations of one that is seen', () => {
    expect(depositBadge({ status: 'seen', confirmations: 7, confirmationRequired: 12 }).word).toBe('Confirming 7/12')
  })
})

describe('depositReason', () => {
  it('has a sentence', () => {
    expect(depositReason('other_network')).toBe('Sent on another network than the one chosen.')
  })
})
