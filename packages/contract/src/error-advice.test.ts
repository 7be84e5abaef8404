import { describe, expect, it } from 'vitest'

import { CONTRACT } from './contract.ts'
import { adviceOf } from './error-advice.ts'
import { type ErrorCode, ERRORS } from './errors.ts'
import type { Route, Routes } from './kit/route.ts'

const CODES = Object.keys(ERRORS) as ErrorCode[]
const routes: Route[] = Object.values<Routes>(CONTRACT).flatMap((group) => Object.values(group))

describe('adviceOf', () => {
  it('has something to do next for every code', () => {
    expect(CODES.map(adviceOf).filter((advice) => !/^[A-Z].*\.$/.test(advice))).toEqual([])
  })

  it('says more than the status does for what a shop may meet', () => {
    const met = new Set<ErrorCode>(routes.filter(({ access }) => access.scope).flatMap(({ errors }) => errors))
    const used = new Map<string, ErrorCode[]>()
    for (const code of CODES) used.set(adviceOf(code), [...(used.get(adviceOf(code)) ?? []), code])
    // A plain "not found" needs no more than its status says.
    const plain = [...met].filter((code) => ERRORS[code].status !== 404 && used.get(adviceOf(code))?.length !== 1)
    expect(plain).toEqual([])
  })
})
