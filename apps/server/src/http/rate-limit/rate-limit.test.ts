import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { devicesRoutes } from '@kassa/contract/devices/routes.ts'
import { passwordRoutes } from '@kassa/contract/auth/password-routes.ts'
import { searchRoutes } from '@kassa/contract/search/routes.ts'
import { describe, expect, it } from 'vitest'

import type { Caller, Context } from '../../context.ts'
import { createRateLimiter, rateSubject } from './rate-limit.ts'

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

describe('rateLimit.createRateLimiter', () => {
  it('counts writes by customers for each payment too, and takes no token from whoever it refuses', async () => {
    const limit = createRateLimiter({ factor: 0.1 })
    const now = new Date()
    // Buckets in memory ask the context for nothing but the time.
    const ctx = { now: () => now } as Context
    const write = (subject: string, reference?: string) => limit(ctx, 'checkout-write', subject, reference)
    await expect(write('ip:1', 'one')).resolves.toMatchObject({ limit: 2, remaining: 1 })
    await write('ip:2', 'ONE')
    for (let i = 0; i < 3; i++) {
      await expect(write('ip:3', 'one')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfter: 30 })
    }
    // The address has all of its three left, for other payments.
    for (const reference of ['two', 'three', undefined]) await write('ip:3', reference)
    await expect(write('ip:3', 'four')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    // Reading is not counted by payment.
    for (let i = 0; i < 3; i++) await limit(ctx, 'checkout-read', 'ip:1', 'one')
  })

  it('forgets nobody whom it refuses, whatever references they make up and how many others call', async () => {
    const limit = createRateLimiter({ mostBuckets: 100 })
    const now = new Date()
    const ctx = { now: () => now } as Context
    const write = (subject: string, reference?: string) => limit(ctx, 'checkout-write', subject, reference)
    for (let i = 0; i < 30; i++) await write('ip:1')
    for (let i = 0; i < 300; i++) {
      await expect(write('ip:1', `made up ${i}`)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
      if (i % 5 === 0) await write(`ip:other ${i}`)
    }
    for (let i = 0; i < 300; i++) {
      await write(`ip:third ${i}`)
      if (i % 50 === 0) await expect(write('ip:1')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    }
    // Of those who call no more, the oldest make room.
    for (let i = 0; i < 101; i++) await write(`ip:fourth ${i}`)
    await expect(write('ip:1')).resolves.toMatchObject({ remaining: 29 })
  })

  it('lets a person type on, also after a page that asked for as many figures as it may', async () => {
    const limit = createRateLimiter()
    let now = 0
    const ctx = { now: () => new Date(now) } as Context
    for (let i = 0; i < 30; i++) await limit(ctx, 'heavy', 'session:1')
    await expect(limit(ctx, 'heavy', 'session:1')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    // The palette searches at most every 200 ms.
    for (now = 0; now < 60_000; now += 200) await limit(ctx, searchRoutes.searchEverything.rate, 'session:1')
  })
})
