import { describe, expect, it } from 'vitest'

import { versionView } from './system.ts'

describe('versionView', () => {
  it('names the commit and the time of a build, and says of sources that they are', () => {
    const builtAt = '2026-11-29T12:00:00.000Z'
    const built = { version: '0.1.0', builtAt: new Date(builtAt), image: '' }
    expect(versionView('0.1.0', { commit: '27a5db4e0c11+', builtAt })).toEqual({ ...built, build: '27a5db4e0c11+' })
    expect(versionView('0.1.0', { commit: null, builtAt })).toEqual({ ...built, build: '' })
    expect(versionView('0.1.0', null)).toEqual({ version: '0.1.0', build: 'source', builtAt: null, image: '' })
  })
})
