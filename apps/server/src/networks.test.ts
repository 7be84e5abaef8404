import { describe, expect, it } from 'vitest'

import { countNetworks, networkOf, networksAround } from './networks.ts'

describe('networks', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::ffff', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['no address', 'no address'],
  ])('count %s as %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network)
  })

  it.each([
    ['2001:db8:1:2ff::1', ['2001:db8:1:200::/56', '2001:db8:1::/48']],
    ['2001:db8:1:ff::1', ['2001:db8:1:0::/56', '2001:db8:1::/48']],
    ['203.0.113.9', []],
    ['no address', []],
  ])('know those around %s', (ip, around) => {
    expect(networksAround(networkOf(ip)).map(({ name }) => name)).toEqual(around)
  })

  it('hold so many each, and the owner of many of them some times as many', () => {
    const { take } = countNetworks(2)
    const takeMany = (name: (at: number) => string) =>
      Array.from({ length: 20 }, (_, at) => take(networkOf(name(at)))).filter((release) => release !== null)
    expect(takeMany(() => '203.0.113.9')).toHaveLength(2)
    const ofOne = takeMany(() => '2001:db8:1:1::1')
    expect(ofOne).toHaveLength(2)
    expect(takeMany((at) => `2001:db8:1:${(at + 2).toString(16)}::1`)).toHaveLength(2)
    expect(takeMany((at) => `2001:db8:1:${(at + 2).toString(16)}00::1`)).toHaveLength(4)
    expect(takeMany(() => '2001:db8:2:1::1')).toHaveLength(2)
    for (const release of ofOne) release()
    expect(takeMany(() => '2001:db8:1:1::1')).toHaveLength(2)
  })
})
