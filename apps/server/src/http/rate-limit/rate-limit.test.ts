import { describe, expect, it } from 'vitest'

import { rateSubject } from './rate-limit.ts'

describe('rateLimit.rateSubject', () => {
  it('counts by the credential, and without one by the network', () => {
    expect(rateSubject(null, '2001:db8:1:2:3:4:5:6')).toBe('ip:2001:db8:1:2::/64')
    expect(rateSubject({ kind: 'key', keyId: 7, projectId: 1, knownTo: 1, scopes: new Set() }, '203.0.113.9')).toBe(
      'key:7',
    )
  })
})
