import { depositMachine, type DepositState } from '@kassa/contract/deposits/machine.ts'
import { canMove } from '@kassa/primitives/machine.ts'
import { beforeAll, describe, expect, it } from 'vitest'

import { dispositionOf } from '../payments/crediting/finality-rules.ts'
import { MANUAL_MOVES } from './postings.ts'
import { explore, type Reached, type Step, stuck } from '../../testing/explore.ts'

/**
 * One deposit, with everything that its block, the rules and an operator can do to it, in every order: searched
 * completely (money.md 8.2), by the decisions and moves of the program itself.
 */
type Model = {
  readonly status: DepositState
  /** Where its block is: on the canonical branch, deep enough there, or orphaned. */
  readonly block: 'shallow' | 'final' | 'left'
  /** The disposition the rules decide at finality. */
  readonly meant: 'for a payment' | 'for no payment' | 'below the minimum' | 'suspicious'
}

const START: Model = { status: 'seen', block: 'shallow', meant: 'for a payment' }
const MEANINGS = ['for a payment', 'for no payment', 'below the minimum', 'suspicious'] as const
/** What is known of such a deposit when it becomes final. */
const SEEN_AS = {
  'for a payment': { paymentId: 1n, reason: null, quarantineReason: null },
  'for no payment': { paymentId: null, reason: null, quarantineReason: null },
  'below the minimum': { paymentId: 1n, reason: 'below_minimum', quarantineReason: null },
  suspicious: { paymentId: 1n, reason: null, quarantineReason: 'AMOUNT_MISMATCH' },
} as const satisfies Record<Model['meant'], object>

const { revert, seeAgain } = depositMachine.moves
const isAmong = (states: readonly DepositState[], status: DepositState) => states.includes(status)

/** Events outside the program happen in any state. */
function* outside(model: Model): Iterable<Step<Model>> {
  if (model.block === 'shallow') yield ['its block becomes final', { ...model, block: 'final' }]
  if (model.block !== 'left') yield ['its block leaves the branch', { ...model, block: 'left' }]
  else yield ['its block returns', { ...model, block: 'shallow' }]
  if (model.status === 'seen') for (const meant of MEANINGS) yield [`it is ${meant}`, { ...model, meant }]
}

/** What the program does about an event, in the transaction that sees it. */
function* program({ status, block, meant }: Model): Iterable<Step<DepositState>> {
  if (block === 'left' && isAmong(revert.from, status)) yield ['reverted', revert.to]
  if (block !== 'left' && isAmong(seeAgain.from, status)) yield ['seen again', seeAgain.to]
  if (block === 'final' && status === depositMachine.initial) {
    yield ['finalized', dispositionOf({ ...SEEN_AS[meant], late: false }).status]
  }
}

/** What an operator may do (api.md Y22, Y26). */
function* person({ status, block }: Model): Iterable<Step<DepositState>> {
  if (block !== 'final') return
  for (const [move, { from, to }] of Object.entries(MANUAL_MOVES)) {
    if (status === from) for (const state of to) yield [move, state]
  }
}

function* stepsFrom(model: Model, edges: Set<string>, pathTo: () => string): Iterable<Step<Model>> {
  for (const [what, status] of [...program(model), ...person(model)]) {
    const edge = `${model.status} → ${status}`
    if (!canMove(depositMachine, model.status, status))
      throw new Error(`Outside the table: ${pathTo()} → ${what}: ${edge}`)
    edges.add(edge)
    yield [what, { ...model, status }]
  }
  yield* outside(model)
}

const keyOf = ({ status, block, meant }: Model) => `${status} ${block} ${meant}`

/** A final deposit is applied, unapplied or ignored; a deposit whose block was orphaned is reverted. */
function isAtRest({ status, block }: Model): boolean {
  if (block === 'left') return status === 'reverted'
  return status === 'applied' || status === 'unapplied' || status === 'ignored'
}

describe('deposits.model', () => {
  const edges = new Set<string>()
  let reached: Map<string, Reached<Model>>
  beforeAll(() => {
    reached = explore(START, keyOf, (model, pathTo) => stepsFrom(model, edges, pathTo))
  })

  it('has a move for every event of its block, the rules and operators, and always a way to a final state', () => {
    const ways = ['its block becomes final', 'reverted', 'seen again', 'finalized', 'release']
    const dead = stuck(reached, isAtRest, (what) => ways.includes(what))
    expect(dead.map(({ path }) => path.join(' → '))).toEqual([])
  })

  it('reaches every state, and follows its block from each of them', () => {
    const states = new Set([...reached.values()].map(({ state }) => state.status))
    expect([...states].toSorted()).toEqual(depositMachine.states.toSorted())
    for (const status of depositMachine.states) {
      if (status !== 'reverted') expect(edges).toContain(`${status} → reverted`)
    }
  })

  it('has no transition without a caller', () => {
    const table = depositMachine.states.flatMap((from) =>
      depositMachine.states.filter((to) => canMove(depositMachine, from, to)).map((to) => `${from} → ${to}`),
    )
    expect([...edges].toSorted()).toEqual(table.toSorted())
  })

  it('is seen again after a reorganisation before it counts again', () => {
    const sources = (to: DepositState) => depositMachine.states.filter((from) => canMove(depositMachine, from, to))
    expect(sources('seen')).toEqual(['reverted'])
  })
})
