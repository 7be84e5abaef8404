import { describe, expect, it } from 'vitest'

import { assetObstacle } from './asset-obstacle.ts'

const text = 'In another language.'

describe('assetObstacle', () => {
  it('says in its own words why reading the network is halted', () => {
    const cause = { code: 'halted', params: { halt: { case: 'below_final', height: 501 } }, text }
    expect(assetObstacle({ cause: { code: 'network_halted', params: { cause }, text } })).toMatch(
      /^The node replaced block 501, which was final\./,
    )
    expect(assetObstacle({ cause: { code: 'network_halted', params: { cause: null }, text } })).toBe(
      'Reading this network is halted.',
    )
  })
})
