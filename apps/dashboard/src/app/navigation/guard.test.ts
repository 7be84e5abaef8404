import { describe, expect, it } from 'vitest'

import { afterSignIn, guard, isPublicPath } from './guard.ts'

const visit = (pathname: string, { search = '', hasKey = false, lastProject = undefined as string | undefined } = {}) =>
  guard({ pathname, search, hasKey, lastProject })

describe('guard', () => {
  it('sends a visitor without a key to sign in and remembers the page', () => {
    expect(visit('/settings')).toBe('/login?next=%2Fsettings')
    expect(visit('/project/7/payments/allPayments', { search: '?open=x&query=a b' })).toBe(
      `/login?next=${encodeURIComponent('/project/7/payments/allPayments?open=x&query=a b')}`,
    )
  })

  it.each([
    '/',
    '/login',
    '/signup',
    '/forgotPassword',
    '/createPassword',
    '/setPassword',
    '/privacy-policy',
    '/cookie-policy',
    '/logout',
    '/referral/abc',
    '/payments',
    '/pay',
    '/success',
    '/addresses',
    '/forgotPassword/',
  ])('lets anyone open %s', (pathname) => {
    expect(isPublicPath(pathname)).toBe(true)
    expect(visit(pathname)).toBeUndefined()
  })

  it.each(['/paymentsX', '/project/7/payments/allPayments', '/referral', '/settings/login', '/developers'])(
    'keeps %s for those who are signed in',
    (pathname) => {
      expect(isPublicPath(pathname)).toBe(false)
      expect(visit(pathname, { hasKey: true })).toBeUndefined()
    },
  )

  it('sends a signed-in visitor of the sign-in page on', () => {
    expect(visit('/login', { hasKey: true })).toBe('/project/all/dashboard')
    expect(visit('/signup', { hasKey: true, lastProject: '7' })).toBe('/project/7/dashboard')
    expect(visit('/login', { hasKey: true, search: '?next=%2Fdevelopers%3FtabId%3Dwebhooks' })).toBe(
      '/developers?tabId=webhooks',
    )
  })
})

describe('afterSignIn', () => {
  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/login', '/logout'])(
    'does not go to %s',
    (next) => {
      expect(afterSignIn(`?next=${encodeURIComponent(next)}`, '7')).toBe('/project/7/dashboard')
    },
  )
})
