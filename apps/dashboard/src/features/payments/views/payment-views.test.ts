import { describe, expect, it } from 'vitest'

import { BUILT_IN, hasDates, isChanged, ownView, searchOf, viewName, viewOf } from './payment-views.ts'

const big = ownView({ id: 'v1', name: 'Big ones', layout: { density: 'compact' } }, { amount: '1000..' }, false)
const nameOf = (search: Record<string, string>) => viewName(viewOf(search, [big]))

describe('views of payments', () => {
  it('knows the view an address names, whatever was changed since', () => {
    expect(nameOf({ view: 'late', status: 'LATE', amount: '10..' })).toBe('Late')
    expect(nameOf({ view: 'v1' })).toBe('Big ones')
  })

  it('knows old bookmarks by what they hold', () => {
    expect(nameOf({ status: 'NEEDS_ATTENTION', cursor: 'x' })).toBe('Needs attention')
    expect(nameOf({ amount: '1000..' })).toBe('Big ones')
  })

  it('takes what it does not know for all payments, changed', () => {
    const view = viewOf({ view: 'gone', status: 'CANCELLED' }, [])
    expect(viewName(view)).toBe('All')
    expect(isChanged(view, { view: 'gone', status: 'CANCELLED' }, {})).toBe(true)
    expect(isChanged(view, { cursor: 'x', open: 'y', limit: '100' }, {})).toBe(false)
  })

  it('notices another column in an own view, and none in everybody’s', () => {
    expect(isChanged(big, { amount: '1000..' }, { density: 'compact' })).toBe(false)
    expect(isChanged(big, { amount: '1000..' }, {})).toBe(true)
    expect(BUILT_IN.some((view) => isChanged(view, view.search, { density: 'compact' }))).toBe(false)
  })

  it('leads to itself, with the page size and without the page', () => {
    for (const view of [...BUILT_IN, big]) {
      const search = searchOf(view, { limit: '100', cursor: 'x', open: 'y', query: 'ann' })
      expect(search).toMatchObject({ limit: '100', ...view.search })
      const found = Object.fromEntries(Object.entries(search).flatMap(([key, value]) => (value ? [[key, value]] : [])))
      expect(viewOf(found, [big])).toBe(view)
      expect(isChanged(view, found, view.layout ?? {})).toBe(false)
    }
  })

  it('keeps dates only when asked to', () => {
    const search = { status: 'FILLED', created: 'last_30_days', cursor: 'x', sortBy: 'email' }
    const facts = { id: 'v2', name: 'Paid', layout: {} }
    expect(hasDates(search)).toBe(true)
    expect(ownView(facts, search, true).search).toEqual({
      status: 'FILLED',
      created: 'last_30_days',
      sortBy: 'email',
    })
    expect(ownView(facts, search, false).search).toEqual({ status: 'FILLED', sortBy: 'email' })
  })
})
