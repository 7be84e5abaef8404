import { PRESETS, SCOPES } from '@kassa/contract/permissions.ts'
import { describe, expect, it } from 'vitest'

import { asNetwork, chooseScopes, isUseDue } from './rules.ts'

describe('apiKeys.chooseScopes', () => {
  it('gives what existing shops need when nothing is named', () => {
    expect(chooseScopes({})).toEqual({ scopes: PRESETS.merchant })
    expect(chooseScopes({ roleName: 'platform_admin' })).toEqual({ scopes: PRESETS.merchant })
    expect(PRESETS.merchant).not.toContain('analytics:read')
  })

  it('prefers scopes to a preset, and a preset to a role', () => {
    expect(chooseScopes({ scopes: ['payment:read'], preset: 'payouts' })).toEqual({ scopes: ['payment:read'] })
    expect(chooseScopes({ preset: 'referrals', roleName: 'platform_admin' })).toEqual({ scopes: PRESETS.referrals })
  })

  it('reads the older names, without repeating and in the order of the catalogue', () => {
    const chosen = chooseScopes({ scopes: ['write_validate_otp', 'write_recipient', 'read_payment_request'] })
    expect(chosen).toEqual({ scopes: ['payment:read', 'recipient:write'] })
  })

  it.each([
    [{ scopes: ['payment:read', 'wallet:write'] }, 'wallet:write'],
    [{ scopes: ['constructor'] }, 'constructor'],
    [{ preset: 'everything' }, 'everything'],
    [{ roleName: 'toString' }, 'toString'],
  ])('names what it does not know in %j', (choice, unknown) => {
    expect(chooseScopes(choice)).toEqual({ unknown })
  })

  it('can give a key every scope and none', () => {
    expect(chooseScopes({ scopes: [...SCOPES] })).toEqual({ scopes: [...SCOPES] })
    expect(chooseScopes({ scopes: [] })).toEqual({ scopes: [] })
  })
})

describe('apiKeys.asNetwork', () => {
  it('reads an address as a network of one', () => {
    expect(['203.0.113.7', '2001:db8::1', '10.0.0.0/8'].map(asNetwork)).toEqual([
      '203.0.113.7/32',
      '2001:db8::1/128',
      '10.0.0.0/8',
    ])
  })
})

describe('apiKeys.isUseDue', () => {
  it('writes a use at most once a minute', () => {
    const now = new Date('2026-01-31T09:00:00.000Z')
    expect(isUseDue(null, now)).toBe(true)
    expect(isUseDue(new Date(now.getTime() - 59_999), now)).toBe(false)
    expect(isUseDue(new Date(now.getTime() - 60_000), now)).toBe(true)
  })
})
