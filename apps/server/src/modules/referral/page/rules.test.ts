import { describe, expect, it } from 'vitest'

import { frameOrigin, shareLink, tokenEnd } from './rules.ts'

const HOUR = 3_600_000
const at = (hours: number) => new Date(hours * HOUR)

describe('referral.page.tokenEnd', () => {
  it('lets a page live for a day after its last use, and a week at most', () => {
    expect(tokenEnd({ createdAt: at(0), expiresAt: at(24) }, at(5))).toEqual(at(29))
    expect(tokenEnd({ createdAt: at(0), expiresAt: at(160) }, at(159))).toEqual(at(168))
    expect(tokenEnd({ createdAt: at(0), expiresAt: at(168) }, at(167))).toBeNull()
  })

  it('writes nothing for a few minutes', () => {
    expect(tokenEnd({ createdAt: at(0), expiresAt: at(24) }, at(0.1))).toBeNull()
  })
})

describe('referral.page.shareLink', () => {
  it('is the page of the shop with the code', () => {
    expect(shareLink('https://shop.example/start?a=1', 'K7Q2M9A')).toBe('https://shop.example/start?a=1&ref=K7Q2M9A')
    expect(shareLink('', 'K7Q2M9A')).toBe('')
  })
})

describe('referral.page.frameOrigin', () => {
  it('is an origin of the web', () => {
    expect(frameOrigin('https://shop.example:8443/a')).toBe('https://shop.example:8443')
    expect(frameOrigin('javascript:alert(1)')).toBeNull()
    expect(frameOrigin('')).toBeNull()
  })
})
