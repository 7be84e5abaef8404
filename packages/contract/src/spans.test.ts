import { describe, expect, it } from 'vitest'

import { CONTRACT } from './contract.ts'
import { spanInput } from './kit/paging.ts'
import type { Route } from './kit/route.ts'

const routes: readonly Route[] = Object.values(CONTRACT).flatMap((group) => Object.values<Route>(group))

const fieldsOf = ({ query }: Route): string[] => Object.keys((query as { shape?: object } | undefined)?.shape ?? {})

describe('lists that take dates (api.md 1.5)', () => {
  it('take each end of their span under all of its names, and the zone it is meant in', () => {
    const dated = routes.filter((route) => fieldsOf(route).some((field) => /^(dateFrom|startDate)$/.test(field)))
    const incomplete = dated.flatMap((route) => {
      const missing = Object.keys(spanInput).filter((name) => !fieldsOf(route).includes(name))
      return missing.length === 0 ? [] : [`${route.id}: ${missing.join(', ')}`]
    })
    expect(incomplete).toEqual([])
    expect(dated.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['D3', 'D4', 'S2', 'Y18', 'Y24', 'Y25', 'H8', 'T1']),
    )
  })
})
