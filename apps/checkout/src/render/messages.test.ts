import { describe, expect, it } from 'vitest'

import { SAMPLES } from '../testing/samples.ts'
import { MESSAGES, say, sayText } from './messages.ts'
import { subjectOf } from './subject.ts'

describe('messages', () => {
  it('name only facts that exist', () => {
    const { facts } = subjectOf(SAMPLES.waiting)
    for (const message of Object.values(MESSAGES)) {
      for (const [, name = ''] of `${message.title}${message.body}`.matchAll(/\{(\w+)\}/g))
        expect(facts).toHaveProperty(name)
    }
  })

  it('isolate and escape what they are filled with', () => {
    expect(say('Back to {merchant}', { merchant: '<b>' }).text).toBe('Back to <bdi>&lt;b&gt;</bdi>')
    expect(sayText('{a} of {b}', { a: 3 })).toBe('3 of ')
  })
})
