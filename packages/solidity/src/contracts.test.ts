import { describe, expect, it } from 'vitest'
import { runForge, verdictOf } from '../scripts/forge.ts'

/** The first run compiles the tests, which alone takes half a minute on a busy machine. */
const FORGE_MS = 300_000

describe('solidity.contracts', () => {
  it(
    'keeps I1 to I9 under 20,000 random calls, on the committed bytecode',
    async () => {
      const { passed, calls, output } = await runForge()
      expect({ passed, output: passed ? '' : output }).toEqual({ passed: true, output: '' })
      expect(calls).toBeGreaterThanOrEqual(20_000)
    },
    FORGE_MS,
  )

  it(
    'notices a contract that is not the committed one',
    async () => {
      const { passed, output } = await runForge({ factory: '0x00', args: ['--match-contract', 'AccessTest'] })
      expect(passed).toBe(false)
      expect(output).toContain('setUp()')
    },
    FORGE_MS,
  )
})

describe('solidity.verdict', () => {
  const run = { passed: true, calls: 200, signal: null } as const

  it('is good only after as many calls as were wanted', () => {
    expect(verdictOf(run, 200)).toEqual({ proves: true, text: 'nothing found' })
    expect(verdictOf({ ...run, calls: 0 }, 200).proves).toBe(false)
    expect(verdictOf({ ...run, passed: false }, 200)).toEqual({ proves: false, text: 'FAILED' })
  })

  it('names the signal that ended forge, instead of a failure', () => {
    const { proves, text } = verdictOf({ passed: false, calls: 0, signal: 'SIGKILL' }, 200)
    expect(proves).toBe(false)
    expect(text).toContain('ended by SIGKILL')
    expect(text).not.toContain('FAILED')
  })
})
