import { describe, expect, it } from 'vitest'

import { isComplete } from './packages.mjs'

const locked = {
  '': { version: '1.0.0' },
  'node_modules/@kassa/server': { link: true },
  'node_modules/a': { version: '1.0.0' },
  'node_modules/for-tests': { version: '1.0.0', dev: true },
  'node_modules/for-another-platform': { version: '1.0.0', optional: true },
}
const a = { 'node_modules/a': { version: '1.0.0' } }
const forTests = { 'node_modules/for-tests': { version: '1.0.0' } }

describe('isComplete', () => {
  it('is false before the first install', () => {
    expect(isComplete(locked, {}, false)).toBe(false)
  })

  it('does without development packages and other platforms', () => {
    expect(isComplete(locked, a, false)).toBe(true)
  })

  it('wants development packages for tests', () => {
    expect(isComplete(locked, a, true)).toBe(false)
    expect(isComplete(locked, { ...a, ...forTests }, true)).toBe(true)
  })

  it('is false when a locked version has changed, also of an optional package', () => {
    expect(isComplete(locked, { 'node_modules/a': { version: '0.9.0' } }, false)).toBe(false)
    expect(isComplete(locked, { ...a, 'node_modules/for-another-platform': { version: '0.9.0' } }, false)).toBe(false)
  })
})
