import { describe, expect, it } from 'vitest'

import { CONTRACT } from '../contract.ts'
import type { Routes } from '../kit/route.ts'
import { AUDIT_EVENTS, PROGRAM_EVENTS, UNLOGGED_WRITES } from './events.ts'

describe('audit.AUDIT_EVENTS', () => {
  it('names every write of the contract once, and nothing else', () => {
    const writes = Object.values<Routes>(CONTRACT).flatMap((routes) =>
      Object.entries(routes).flatMap(([name, { methods }]) =>
        methods.some((method) => method !== 'GET') ? [name] : [],
      ),
    )
    expect(new Set(writes).size).toBe(writes.length)
    const named = Object.keys(AUDIT_EVENTS).filter((name) => !(PROGRAM_EVENTS as readonly string[]).includes(name))
    expect([...named, ...UNLOGGED_WRITES].toSorted()).toEqual(writes.toSorted())
  })
})
