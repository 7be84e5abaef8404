import { describe, expect, it } from 'vitest'

import { fakeNode } from '../../testing/fake-node.ts'
import { requireTarget } from './proof-of-work.ts'
import type { WireHeader } from './wire.ts'

const session = { node: fakeNode({}) }
const headerOf = (bits: number): WireHeader => ({ hash: '', parentHash: '', root: '', minedAt: new Date(0), bits })

/** Whether a block at a height may state a target after that of its parent. */
function follows(before: number, after: number, height: number): boolean {
  try {
    requireTarget(session, { parent: headerOf(before), header: headerOf(after), height })
    return true
  } catch {
    return false
  }
}

describe('requireTarget', () => {
  it('keeps the target between the blocks that change it', () => {
    expect(follows(0x17030000, 0x17030000, 800_000)).toBe(true)
    expect(follows(0x17030000, 0x17030001, 800_000)).toBe(false)
    expect(follows(0x17030000, 0x17020000, 800_000)).toBe(false)
  })

  it.each([
    ['four times easier', 0x170c0000, true],
    ['the same', 0x17030000, true],
    ['a thousand times harder', 0x15c00000 - 0x800000, true],
    ['more than four times easier', 0x170c0001, false],
    ['the easiest there is', 0x1d00ffff, false],
  ])('lets every 2016th block be %s', (_what, after, isAllowed) => {
    expect(follows(0x17030000, after, 2016 * 400)).toBe(isAllowed)
  })
})
