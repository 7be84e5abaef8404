import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { devicesRoutes } from '@kassa/contract/devices/routes.ts'
import { passwordRoutes } from '@kassa/contract/auth/password-routes.ts'
import { describe, expect, it } from 'vitest'

import type { Caller } from '../../context.ts'
import { rateSubject } from './rate-limit.ts'

const withKey: Caller = { kind: 'key', keyId: 7, projectId: 1, knownTo: 1, scopes: new Set() }

describe('rateLimit.rateSubject', () => {
  it('counts by the credential, and without one by the network', () => {
    expect(rateSubject(null, '2001:db8:1:2:3:4:5:6')).toBe('ip:2001:db8:1:2::/64')
    expect(rateSubject(withKey, '203.0.113.9')).toBe('key:7')
  })

  it('counts guesses at what signs in by the network, whatever credential comes along', () => {
    const open = [authRoutes.signIn, authRoutes.refresh, passwordRoutes.forgotPassword, devicesRoutes.pairDevice]
    for (const route of open) expect(rateSubject(withKey, '203.0.113.9', route)).toBe('ip:203.0.113.9')
    expect(rateSubject(withKey, '203.0.113.9', authRoutes.changePassword)).toBe('key:7')
  })
})
