import { describe, expect, it } from 'vitest'

import { fillPath, paths, projectInPath } from './paths.ts'

describe('paths', () => {
  it('writes a path with its parameters and what is asked of it', () => {
    expect(paths.payment({ projectId: 7, reference: '0192a7de' })).toBe('/project/7/payments/allPayments/0192a7de')
    expect(paths.payments({ projectId: 'all' }, { open: 'a b', panel: undefined, query: '' })).toBe(
      '/project/all/payments/allPayments?open=a%20b',
    )
    expect(paths.signIn({ reason: 'lost', next: '/settings?a=1' })).toBe('/login?reason=lost&next=%2Fsettings%3Fa%3D1')
    expect(paths.landing()).toBe('/')
  })

  it('refuses parameters that are not those of its pattern', () => {
    // @ts-expect-error the payment is missing
    paths.payment({ projectId: 7 })
    // @ts-expect-error a blockchain has a code
    paths.blockchain({ projectId: 7 })
    expect(paths.blockchain({ code: 'BASE/ETH' })).toBe('/settings/blockchains/BASE%2FETH')
  })

  it('knows its own address, whatever the case', () => {
    expect(paths.forgotPassword.matches('/FORGOTpassword/')).toBe(true)
    expect(paths.payments.matches('/project/7/payments/allpayments')).toBe(true)
    expect(paths.payments.matches('/project/7/payments/allPayments/0192a7de')).toBe(false)
    expect(paths.blockchain.matches('/settings/blockchains')).toBe(false)
    expect(paths.landing.matches('/')).toBe(true)
    expect(paths.landing.matches('/login')).toBe(false)
  })

  it('leaves a name without a value as it is', () => {
    expect(fillPath('/project/{projectId}/dashboard', { projectId: 'all' })).toBe('/project/all/dashboard')
    expect(fillPath('/settings/blockchains/{code}', {})).toBe('/settings/blockchains/{code}')
  })
})

describe('projectInPath', () => {
  it.each([
    ['/project/7/dashboard', '7'],
    ['/Settings/Account/a%20b', 'a b'],
    ['/settings/profile', undefined],
    ['/projects/7', undefined],
  ])('reads %s as %s', (pathname, id) => {
    expect(projectInPath(pathname)).toBe(id)
  })
})
