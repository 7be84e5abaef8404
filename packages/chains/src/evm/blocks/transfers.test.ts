import fc from 'fast-check'
import { decodeEventLog, erc20Abi, type Hex, pad } from 'viem'
import { describe, expect, it } from 'vitest'
import { chainOf } from '../../testing/anvil-chain.ts'
import { readScopeOf, TRANSFER_TOPIC, transfersIn } from './transfers.ts'
import type { WireLog } from '../encoding/wire.ts'

const chain = chainOf('ETH', 'mainnet')
const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const bridged = '0x2791bca1f2de4661ed88a30c99a7a9449aa84174'
const [ours, alsoOurs, stranger] = ['11', '12', '22'].map((byte) => `0x${byte.repeat(20)}` as const) as [Hex, Hex, Hex]
const matches = (key: Uint8Array) => key[0] === 0x11 || key[0] === 0x12
const scope = readScopeOf(chain, { assets: new Set([1, 7]), matches })
const block = { height: 1, hash: '0x1', parentHash: '0x0', minedAt: new Date(0) }
const tx = { hash: '0xt', from: stranger, to: usdc, value: 0n }

const moves = (logs: WireLog[], isSuccess = true) => {
  const receipt = {
    txHash: tx.hash,
    blockHash: block.hash,
    height: 1,
    isSuccess,
    gasUsed: 1n,
    logs,
    firstLog: 0,
    raw: {},
  }
  return transfersIn(scope, block, tx, receipt, 'receipt')
}

const word = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)
const known = fc.constantFrom(...[ours, alsoOurs, stranger].map((address): string => pad(address)))
const rest = fc.oneof(fc.array(fc.oneof(known, word), { maxLength: 3 }), fc.tuple(known, known))
const log: fc.Arbitrary<WireLog> = fc.record({
  address: fc.constantFrom(usdc, usdc, bridged, stranger),
  topics: fc
    .tuple(fc.oneof({ weight: 8, arbitrary: fc.constant(TRANSFER_TOPIC) }, { weight: 1, arbitrary: word }), rest)
    .map(([first, others]) => [first, ...others]),
  data: fc.oneof(word, fc.constant('0x'), fc.constant(`0x${'00'.repeat(32)}`), fc.constant(`0x${'01'.repeat(33)}`)),
})

/** Says by viem's decoder what a log moves to us or from us, or null. */
function oracle({ address, topics, data }: WireLog): bigint | null {
  if (address !== usdc) return null
  try {
    const decoded = decodeEventLog({
      abi: erc20Abi,
      topics: topics as [Hex, ...Hex[]],
      data: data as Hex,
      strict: true,
    })
    if (decoded.eventName !== 'Transfer' || data.length !== 66) return null
    const { from, to, value } = decoded.args
    const isClean = topics.slice(1).every((one) => one.startsWith(`0x${'00'.repeat(12)}`))
    const isOurs = /^0x1[12]/.test(to) || /^0x1[12]/.test(from)
    return isClean && isOurs && value > 0n && topics.length === 3 ? value : null
  } catch {
    return null
  }
}

describe('evm.transfersIn', () => {
  it('credits of any logs exactly what a full ABI decoder finds, each log once (E4–E6, E13, E14, E31, E34)', () => {
    let credited = 0
    fc.assert(
      fc.property(fc.array(log, { maxLength: 6 }), (logs) => {
        const expected = logs.flatMap((one, ordinal) => {
          const units = oracle(one)
          return units === null ? [] : [{ leg: `log:${ordinal}`, units }]
        })
        credited += expected.length
        expect(moves(logs).map(({ leg, units }) => ({ leg, units }))).toEqual(expected)
      }),
      { numRuns: 5_000, seed: 1 },
    )
    expect(credited).toBeGreaterThan(100)
  })

  it('credits nothing of a failed transaction, whatever its logs (E2)', () => {
    fc.assert(
      fc.property(fc.array(log, { maxLength: 6 }), (logs) => {
        expect(moves(logs, false)).toEqual([])
      }),
    )
  })

  it('does not count the system log of a native transfer beside its value (E25, E26)', () => {
    const system = {
      address: '0xfffffffffffffffffffffffffffffffffffffffe',
      topics: [TRANSFER_TOPIC, pad(stranger), pad(ours)],
      data: pad('0x05'),
    }
    const receipt = {
      txHash: tx.hash,
      blockHash: block.hash,
      height: 1,
      isSuccess: true,
      gasUsed: 1n,
      logs: [system],
      firstLog: 0,
      raw: {},
    }
    const found = transfersIn(scope, block, { ...tx, to: ours, value: 5n }, receipt, 'receipt')
    expect(found.map(({ leg, units }) => [leg, units])).toEqual([['value', 5n]])
  })

  it('credits no value that creates a contract', () => {
    const receipt = {
      txHash: tx.hash,
      blockHash: block.hash,
      height: 1,
      isSuccess: true,
      gasUsed: 1n,
      logs: [],
      firstLog: null,
      raw: {},
    }
    expect(transfersIn(scope, block, { ...tx, to: null, value: 5n }, receipt, 'receipt')).toEqual([])
  })
})
