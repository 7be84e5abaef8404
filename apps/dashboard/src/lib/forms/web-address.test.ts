import { describe, expect, it } from 'vitest'

import { withScheme } from './web-address.ts'

describe('withScheme', () => {
  it.each([
    ['acme.com', 'https://acme.com'],
    [' t.me/acme ', 'https://t.me/acme'],
    ['shop.acme.co.uk:8443/welcome?from=pay', 'https://shop.acme.co.uk:8443/welcome?from=pay'],
    ['münchen.de', 'https://münchen.de'],
  ])('completes %j', (typed, address) => {
    expect(withScheme(typed)).toBe(address)
  })

  it.each([
    '',
    'https://acme.com',
    'http://acme.com',
    'ftp://acme.com',
    '@acme',
    'acme',
    'ann@acme.com',
    '1.50',
    'acme com',
  ])('leaves %j as it is', (typed) => {
    expect(withScheme(typed)).toBe(typed)
  })
})
