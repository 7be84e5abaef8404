import { describe, expect, it } from 'vitest'

import { countTests } from './suites.mjs'

const file = (status, ...tests) => ({ status, assertionResults: tests.map((test) => ({ status: test })) })
const report = (passed, failed, ...files) => ({ numPassedTests: passed, numFailedTests: failed, testResults: files })

describe('countTests', () => {
  it('counts what the report counts', () => {
    const two = report(2, 1, file('passed', 'passed'), file('failed', 'passed', 'failed'))
    expect(countTests(two, 1)).toEqual({ passed: 2, failed: 1 })
  })

  it('counts a file that did not load as a failure', () => {
    expect(countTests(report(1, 0, file('passed', 'passed'), file('failed')), 1)).toEqual({ passed: 1, failed: 1 })
  })

  it('never calls a failed, missing or empty run clean', () => {
    expect(countTests(report(1, 0, file('passed', 'passed')), 1)).toEqual({ passed: 1, failed: 1 })
    expect(countTests(undefined, 1)).toEqual({ passed: 0, failed: 1 })
    expect(countTests(report(0, 0), 0)).toEqual({ passed: 0, failed: 1 })
  })
})
