import { describe, expect, it } from 'vitest'
import { internalTransfers } from './traces.ts'

const ours = `0x${'11'.repeat(20)}`
const stranger = `0x${'22'.repeat(20)}`
const block = { height: 1, hash: '0x1', parentHash: '0x0', minedAt: new Date(0) }
const scope = {
  native: 1,
  systemLog: null,
  tokens: new Map(),
  concernsUs: (_: string, to: string) => to === ours,
}
const frame = (type: string, changes: object = {}) => ({ type, from: stranger, to: ours, value: '0x5', ...changes })
const legs = (root: unknown) => internalTransfers(scope, block, '0xt', root).map(({ leg, units }) => [leg, units])

describe('evm.traces', () => {
  it('finds every kind of call that moves its own value, each under a name of its own', () => {
    const nested = frame('CALL', { to: stranger, calls: [frame('CREATE'), frame('SELFDESTRUCT')] })
    expect(legs(frame('CALL', { calls: [frame('CALL'), nested, frame('CREATE2')] }))).toEqual([
      [`internal:${ours}:0`, 5n],
      [`internal:${ours}:1`, 5n],
      [`internal:${ours}:2`, 5n],
      [`internal:${ours}:3`, 5n],
    ])
  })

  it('names money the same, whether or not a node lists calls of precompiled contracts', () => {
    const precompiled = `0x${'01'.padStart(40, '0')}`
    const listed = [frame('STATICCALL', { to: precompiled }), frame('CALL', { to: precompiled })]
    const nested = frame('CALL', { to: stranger, calls: [frame('CALL', { value: '0x7' })] })
    const calls = [frame('CALL'), nested]
    const names = [
      [`internal:${ours}:0`, 5n],
      [`internal:${ours}:1`, 7n],
    ]
    expect(legs(frame('CALL', { calls }))).toEqual(names)
    expect(legs(frame('CALL', { calls: calls.flatMap((call) => [...listed, call]) }))).toEqual(names)
  })

  it('names money the same for who asks about all and about some', () => {
    const all = { ...scope, concernsUs: () => true }
    const calls = [frame('CALL', { from: ours }), frame('CALL', { value: '0x7' })]
    const some = { ...scope, concernsUs: (from: string) => from !== ours }
    const named = (one: typeof scope) => internalTransfers(one, block, '0xt', frame('CALL', { calls })).at(-1)?.leg
    expect(named(some)).toBe(`internal:${ours}:1`)
    expect(named(all)).toBe(named(some))
  })

  it('skips calls that carry the value of their parent, or none (E15)', () => {
    const calls = ['DELEGATECALL', 'CALLCODE', 'STATICCALL'].map((type) => frame(type))
    expect(legs(frame('CALL', { calls }))).toEqual([])
  })

  it('skips the top-level call itself (E16)', () => {
    expect(legs(frame('CALL'))).toEqual([])
  })

  it('skips everything below a call that failed (E3)', () => {
    const failed = frame('CALL', { error: 'execution reverted', calls: [frame('CALL')] })
    expect(legs(frame('CALL', { calls: [failed] }))).toEqual([])
    expect(legs(frame('CALL', { error: 'out of gas', calls: [frame('CALL')] }))).toEqual([])
  })

  it('skips value of zero and calls without value', () => {
    const calls = [frame('CALL', { value: '0x0' }), frame('CALL', { value: undefined })]
    expect(legs(frame('CALL', { calls }))).toEqual([])
  })
})
