import { randomBytes } from 'node:crypto'

import { ApiError } from '@kassa/contract/kit/api-error.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { filterName, openCursor, sealCursor } from './cursor.ts'
import { type PageInput, readPage, toPage } from './paging.ts'

const signingKey = randomBytes(32)
const cursor = {
  sort: 'email',
  isAscending: true,
  filter: filterName('list', {}),
  key: 'a@b',
  id: '7',
  isBackwards: false,
}

function codeOf(work: () => unknown): string {
  try {
    work()
    return 'none'
  } catch (thrown) {
    return thrown instanceof ApiError ? thrown.code : 'fault'
  }
}

describe('http.cursor', () => {
  it('opens what it sealed', () => {
    expect(openCursor(signingKey, sealCursor(signingKey, cursor), cursor.filter)).toEqual(cursor)
  })

  it('refuses another filter, another key and any text it did not write', () => {
    const sealed = sealCursor(signingKey, cursor)
    expect(codeOf(() => openCursor(signingKey, sealed, filterName('list', { a: 1 })))).toBe('CURSOR_INVALID')
    expect(codeOf(() => openCursor(signingKey, sealed, filterName('other list', {})))).toBe('CURSOR_INVALID')
    expect(codeOf(() => openCursor(randomBytes(32), sealed, cursor.filter))).toBe('CURSOR_INVALID')
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(codeOf(() => openCursor(signingKey, text, cursor.filter))).toBe('CURSOR_INVALID')
      }),
    )
  })

  it('refuses every change of a single byte', () => {
    const bytes = Buffer.from(sealCursor(signingKey, cursor), 'base64url')
    bytes.forEach((byte, at) => {
      const changed = Buffer.from(bytes)
      changed[at] = byte ^ 1
      expect(codeOf(() => openCursor(signingKey, changed.toString('base64url'), cursor.filter))).toBe('CURSOR_INVALID')
    })
  })
})

describe('http.paging', () => {
  const rules = { list: 'list', filter: {}, sorts: ['created_at', 'email'], signingKey } as const
  const page = (input: PageInput) => readPage(input, rules)

  it('has the defaults of every list', () => {
    expect(page({})).toEqual({ sort: 'created_at', isAscending: false, limit: 50, offset: 0, from: null })
  })

  it('bounds the limit', () => {
    expect([page({ limit: 0 }).limit, page({ limit: -1 }).limit, page({ limit: 7 }).limit]).toEqual([50, 50, 7])
    expect(page({ limit: 9999 }).limit).toBe(200)
    expect(readPage({ limit: 9999 }, { ...rules, maxLimit: 500 }).limit).toBe(500)
  })

  it('reads directions in any case and both names', () => {
    expect([page({ sortDirection: 'asc' }).isAscending, page({ order: 'ASC' }).isAscending]).toEqual([true, true])
    expect(page({ sortDirection: 'sideways' }).isAscending).toBe(false)
  })

  it('refuses unknown sorts and depths', () => {
    expect(page({ sortBy: 'createdAt' }).sort).toBe('created_at')
    expect(codeOf(() => page({ sortBy: 'password' }))).toBe('SORT_FIELD_UNKNOWN')
    expect(page({ offset: 10_000 }).offset).toBe(10_000)
    expect(codeOf(() => page({ offset: 10_001 }))).toBe('PAGE_TOO_DEEP')
  })

  it('ignores the offset beside a cursor, and refuses another order', () => {
    const rows = [1, 2, 3].map((id) => ({ id, sortKey: `k${id}` }))
    const { nextCursor } = toPage(rows, page({ limit: 2, sortBy: 'email' }), rules)
    const next = { cursor: nextCursor ?? '', offset: 99 }
    expect(page(next)).toMatchObject({
      sort: 'email',
      offset: 0,
      from: { key: 'k2', id: '2', isBackwards: false },
    })
    expect(codeOf(() => page({ ...next, sortBy: 'created_at' }))).toBe('CURSOR_INVALID')
    expect(codeOf(() => page({ ...next, sortDirection: 'asc' }))).toBe('CURSOR_INVALID')
    expect(page({ ...next, sortDirection: 'desc' }).sort).toBe('email')
  })

  it('turns rows that were read backwards round', () => {
    const rows = [3, 2, 1].map((id) => ({ id, sortKey: `k${id}` }))
    const from = { key: 'k4', id: '4', isBackwards: true }
    const shown = toPage(rows, { sort: 'email', isAscending: true, limit: 2, offset: 0, from }, rules)
    expect(shown.rows.map(({ id }) => id)).toEqual([2, 3])
    expect(shown.prevCursor).not.toBeNull()
    expect(shown.nextCursor).not.toBeNull()
  })
})
