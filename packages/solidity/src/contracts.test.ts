import { describe, expect, it } from 'vitest'
import { runForge } from '../scripts/forge.ts'

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
