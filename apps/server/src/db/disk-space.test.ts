import { describe, expect, it } from 'vitest'

import { watchDiskSpace } from './disk-space.ts'

const withCode = (code: string) => Object.assign(new Error('no'), { code })

describe('db.watchDiskSpace', () => {
  it('says that the disk is full until nothing was refused for ten seconds', () => {
    let now = 0
    const space = watchDiskSpace(() => now)
    expect(space.isFull()).toBe(false)
    space.note(withCode('53100'))
    expect(space.isFull()).toBe(true)
    now = 6_000
    space.note(withCode('53100'))
    now = 15_999
    expect(space.isFull()).toBe(true)
    now = 16_000
    expect(space.isFull()).toBe(false)
  })

  it('learns nothing from other failures', () => {
    const space = watchDiskSpace()
    for (const error of [withCode('23505'), withCode('53300'), new Error('53100'), '53100']) space.note(error)
    expect(space.isFull()).toBe(false)
  })
})
