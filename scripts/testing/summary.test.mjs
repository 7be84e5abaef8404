import { describe, expect, it } from 'vitest'

import { summaryOf } from './summary.mjs'

const check = { name: 'check', seconds: 7, passed: 1, failures: [] }
const pages = {
  name: 'end-to-end tests',
  seconds: 412,
  passed: 300,
  failures: [],
  slowest: [{ name: 'e2e/cases.test.ts', seconds: 90 }],
  browser: 'Chromium 156.0.8078.79',
}

describe('summaryOf', () => {
  it('says what took how long, and in which browser', () => {
    expect(summaryOf([check, pages])).toEqual([
      '\n── what took how long',
      '    7 s  check',
      '  412 s  end-to-end tests',
      '          90 s  e2e/cases.test.ts',
      '\nBrowser of the end-to-end tests: Chromium 156.0.8078.79',
      '\n301 passed, 0 failed',
    ])
  })

  it('names every failure with its suite, above the sums', () => {
    const lines = summaryOf([check, { ...pages, failures: ['a › b: Error', 'c › d: Error'] }])
    expect(lines.slice(-2)).toEqual([
      '\n── what failed\na › b: Error (end-to-end tests)\nc › d: Error (end-to-end tests)',
      '\n301 passed, 2 failed',
    ])
  })

  it('names no browser where none was used', () => {
    expect(summaryOf([check]).join('\n')).not.toContain('Browser')
  })
})
