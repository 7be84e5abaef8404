import { describe, expect, it } from 'vitest'

import { canonicalJson } from './canonical-json.ts'

describe('http: canonical JSON', () => {
  it('gives equal values equal text, whatever the order of keys', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}')
    expect(canonicalJson({ a: true, b: [1, { c: 'x', d: null }] })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}')
  })
})
