import { describe, expect, it } from 'vitest'

import { bufferNew } from './useBufferedRows.ts'

const row = (key: string, state = 'open') => ({ key, state })
const rows = (text: string) => text.split('').map((key) => row(key))
const buffered = (shown: string, fetched: string) => {
  const result = bufferNew(rows(shown), rows(fetched), ({ key }) => key)
  return [result.rows.map(({ key }) => key).join(''), result.arrived]
}

describe('holdBack', () => {
  it.each([
    ['nothing happened', 'cba', 'cba', 'cba', 0],
    ['one came, one was pushed off the page', 'cba', 'dcb', 'cba', 1],
    ['as many came as the page holds', 'cba', 'fed', 'cba', 3],
    ['one came between others', 'cba', 'cxb', 'cba', 1],
    ['one no longer matches, the next page fills up', 'cba', 'ca9', 'ca9', 0],
    ['one came and one no longer matches', 'dcba', 'edba', 'dba', 1],
  ])('%s', (_, shown, fetched, expected, arrived) => {
    expect(buffered(shown, fetched)).toEqual([expected, arrived])
  })

  it('changes known rows in place', () => {
    const { rows: after } = bufferNew([row('b'), row('a')], [row('c'), row('b', 'paid')], ({ key }) => key)
    expect(after).toEqual([row('b', 'paid'), row('a')])
  })
})
