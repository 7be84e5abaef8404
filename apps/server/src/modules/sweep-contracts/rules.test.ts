import type { VaultState } from '@kassa/chains/sweep-vaults.ts'
import { describe, expect, it } from 'vitest'

import { combineStates } from './rules.ts'

const readyAt = new Date('2026-01-31T09:00:00.000Z')
const QUIET: VaultState = { owner: '0x01', collector: '0x02', proposed: null, proposedOwner: null, isFrozen: false }
const proposed = { collector: '0x03', readyAt }
const proposedOwner = { owner: '0x04', readyAt }

describe('sweepContracts.combineStates', () => {
  it.each<[string, Partial<VaultState>, Partial<VaultState>]>([
    ['a proposed collector that one hides, and an owner that the other hides', { proposed }, { proposedOwner }],
    ['proposals behind another collector that one made up', { collector: '0x09' }, { proposed, proposedOwner }],
    ['what both show', { proposed, proposedOwner }, { proposed, proposedOwner }],
    ['another collector than was confirmed', { collector: '0x09' }, {}],
    ['nothing', {}, {}],
  ])('shows of two nodes %s', (_what, one, other) => {
    const states = [
      { ...QUIET, ...one },
      { ...QUIET, ...other },
    ] as const
    const all = { ...QUIET, ...one, ...other }
    expect(combineStates(states[0], states[1], QUIET.collector)).toEqual(all)
    expect(combineStates(states[1], states[0], QUIET.collector)).toEqual(all)
  })
})
