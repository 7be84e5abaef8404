import { describe, expect, it } from 'vitest'
import { evmTransactionIds } from './transaction-ids.ts'

const HASH = `0x${'9f3c'.repeat(16)}`

describe('evm.transactionIds', () => {
  it.each([HASH, HASH.toUpperCase(), HASH.slice(2), `  ${HASH}\n`])('reads %j', (text) => {
    expect(evmTransactionIds.normalizeId(text)).toBe(HASH)
  })

  it.each(['', '0x', HASH.slice(0, -1), `${HASH}0`, `${HASH.slice(0, -1)}g`])('finds no id in %j', (text) => {
    expect(evmTransactionIds.normalizeId(text)).toBeNull()
  })
})
