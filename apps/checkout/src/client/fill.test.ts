import { describe, expect, it } from 'vitest'

import { fill } from './fill.ts'

describe('fill', () => {
  it.each([
    ['Acme', 'Acme on Base'],
    ["$& $' $` $1 $$", "$& $' $` $1 $$ on Base"],
    ['{network}', '{network} on Base'],
    ['{merchant}', '{merchant} on Base'],
  ])('takes %s for a name as it is', (merchant, said) => {
    expect(fill('{merchant} on {network}', { merchant, network: 'Base' })).toBe(said)
  })

  it('leaves what it has no fact for', () => {
    expect(fill('{time} on {network}', { network: 'Base' })).toBe('{time} on Base')
  })
})
