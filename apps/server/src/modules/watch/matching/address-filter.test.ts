import { randomBytes } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import { createAddressFilter } from './address-filter.ts'

const hex = (key: Uint8Array) => Buffer.from(key).toString('hex')

describe('watch.createAddressFilter', () => {
  it('knows exactly the keys that were added, whatever their length and whichever buffer they lie in', () => {
    const filter = createAddressFilter()
    const block = randomBytes(200)
    const keys = [block.subarray(0, 20), block.subarray(20, 42), new Uint8Array(block.subarray(60, 94))]
    for (const key of keys) filter.add(key)
    expect(keys.every((key) => filter.has(key))).toBe(true)
    expect(filter.has(new Uint8Array(keys[0] ?? []))).toBe(true)
    expect(filter.has(block.subarray(0, 19))).toBe(false)
    expect(filter.has(block.subarray(1, 21))).toBe(false)
    expect(filter.size()).toBe(3)
    expect([...filter.keys()].map(hex)).toEqual(keys.map(hex))
  })

  it('distinguishes keys that differ in one bit of one byte', () => {
    const filter = createAddressFilter()
    const key = Buffer.alloc(20, 0x80)
    filter.add(key)
    for (let at = 0; at < 20; at += 1) {
      const other = Buffer.from(key)
      other[at] = 0x81
      expect(filter.has(other)).toBe(false)
    }
  })
})
