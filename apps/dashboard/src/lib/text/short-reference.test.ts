import { expect, it } from 'vitest'

import { shortReference } from './short-reference.ts'

it('tells payments of one moment apart by their end', () => {
  expect(shortReference('01a203f2-7c11-7e02-9a3b-5d0b1ec48f11')).toBe('…c48f11')
  expect(shortReference('01a203f2-7c11-7e02-9a3b-5d0b1ec48f12')).toBe('…c48f12')
  expect(shortReference('A-77')).toBe('A-77')
})
