import { hkdfSync } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import { keyFor, keysOf } from './keys.ts'

const MASTER_KEY = Buffer.alloc(32, 7)

describe('config.keysOf', () => {
  it('derives a key of its own for every purpose, from the master key and a label', () => {
    const keys = keysOf(MASTER_KEY, ['api'])
    for (const purpose of ['cursor', 'idempotency', 'addresses', 'processes', 'codes'] as const) {
      const derived = Buffer.from(hkdfSync('sha256', MASTER_KEY, '', `kassa ${purpose}`, 32))
      expect(keyFor({ keys }, purpose)).toEqual(derived)
    }
    expect(new Set([...keys.values()].map((key) => key.toString('hex'))).size).toBe(6)
  })

  it('wraps the secrets of a vault with the master key itself, as before', () => {
    expect(keyFor({ keys: keysOf(MASTER_KEY, ['worker']) }, 'vault')).toEqual(MASTER_KEY)
  })

  it.each([
    ['api', ['addresses', 'codes', 'cursor', 'idempotency', 'processes', 'vault']],
    ['worker', ['addresses', 'codes', 'processes', 'vault']],
    ['watcher', ['addresses', 'processes', 'vault']],
    ['sender', ['addresses', 'processes', 'vault']],
    ['chains', []],
  ] as const)('gives the role %s %j', (role, purposes) => {
    expect([...keysOf(MASTER_KEY, [role]).keys()].toSorted()).toEqual(purposes)
  })

  it('gives a process the keys of all its roles', () => {
    expect(keysOf(MASTER_KEY, ['worker', 'api', 'chains']).size).toBe(6)
  })
})

describe('config.keyFor', () => {
  it('refuses a key that no role of the process may use', () => {
    expect(() => keyFor({ keys: keysOf(MASTER_KEY, ['watcher']) }, 'cursor')).toThrow(
      'No role of this process has the key for cursor',
    )
  })
})
