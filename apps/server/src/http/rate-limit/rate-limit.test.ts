import { describe, expect, it } from 'vitest'

import { rateSubject } from './rate-limit.ts'

describe('rateLimit.rateSubject', () => {
  it.each([
    ['203.0.113.9', 'ip:203.0.113.9'],
    ['::ffff:203.0.113.9', 'ip:203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', 'ip:2001:db8:1:2::/64'],
    ['2001:db8:1:2::ffff', 'ip:2001:db8:1:2::/64'],
    ['2001:db8::1', 'ip:2001:db8:0:0::/64'],
    ['::1', 'ip:0:0:0:0::/64'],
    ['no address', 'ip:no address'],
  ])('counts %s as %s', (ip, subject) => {
    expect(rateSubject(null, ip)).toBe(subject)
  })
})
