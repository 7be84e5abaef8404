import { allRoutes } from '@kassa/contract/contract.ts'
import { expect, it } from 'vitest'

import { nameOf } from './answers.ts'

it('names every route of the contract differently', () => {
  const names = allRoutes().map(nameOf)
  expect(new Set(names).size).toBe(names.length)
})
