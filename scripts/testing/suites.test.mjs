import { describe, expect, it } from 'vitest'

import { readReport } from './suites.mjs'

const ok = { status: 'passed', fullName: 'adds', failureMessages: [] }
const bad = { status: 'failed', fullName: 'subtracts', failureMessages: ['Error: 1 is not 2\n    at a line'] }
const file = (name, status, ...assertionResults) => ({
  name: `/kassa/${name}`,
  status,
  message: 'Error: no such module\n    at a line',
  startTime: 1000,
  endTime: 4000,
  assertionResults,
})
const report = (passed, ...files) => ({ numPassedTests: passed, testResults: files })
const read = (given, code) => readReport('/kassa', given, code)

describe('readReport', () => {
  it('counts what passed and names what failed, with the reason', () => {
    const { passed, failures } = read(
      report(2, file('a.test.ts', 'passed', ok), file('b.test.ts', 'failed', ok, bad)),
      1,
    )
    expect(passed).toBe(2)
    expect(failures).toEqual(['b.test.ts › subtracts: Error: 1 is not 2'])
  })

  it('counts a file that did not load as a failure', () => {
    const { failures } = read(report(1, file('a.test.ts', 'passed', ok), file('b.test.ts', 'failed')), 1)
    expect(failures).toEqual(['b.test.ts: Error: no such module'])
  })

  it('never calls a failed, missing or empty run clean', () => {
    expect(read(report(1, file('a.test.ts', 'passed', ok)), 1).failures).toHaveLength(1)
    expect(read(undefined, 1)).toMatchObject({ passed: 0, failures: [expect.any(String)] })
    expect(read(report(0), 0).failures).toHaveLength(1)
  })

  it('says which files took longest', () => {
    expect(read(report(1, file('a.test.ts', 'passed', ok)), 0).slowest).toEqual([{ name: 'a.test.ts', seconds: 3 }])
  })
})
