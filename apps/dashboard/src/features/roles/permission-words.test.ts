import { PERMISSION_NAMES } from '@kassa/contract/permissions.ts'
import { describe, expect, it } from 'vitest'

import { PERMISSION_GROUPS } from './permission-words.ts'

describe('PERMISSION_GROUPS', () => {
  it('words every permission once', () => {
    const named = PERMISSION_GROUPS.flatMap(({ permissions }) => permissions.map(([name]) => name))
    expect(named.toSorted()).toEqual(PERMISSION_NAMES.toSorted())
  })
})
