import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { describe, expect, it } from 'vitest'
import type { TransferFilter } from '../adapter.ts'
import { chainIn, sessionAlone } from '../chain.ts'
import type { NodeCall, NodeClient } from '../node/client.ts'
import { addressText } from './addresses/addresses.ts'
import { readBlocks } from './blocks/blocks.ts'
import { fullReadScope, transfersIn } from './blocks/transfers.ts'
import { readTransaction, readBlock } from './encoding/wire.ts'

type Json = Record<string, unknown>
type TokenBalance = {
  readonly accountIndex: number
  readonly mint: string
  readonly owner: string
  readonly programId: string
  readonly uiTokenAmount: { readonly amount: string }
}
type Meta = {
  readonly err: unknown
  readonly preBalances: readonly number[]
  readonly postBalances: readonly number[]
  readonly preTokenBalances: readonly TokenBalance[]
  readonly postTokenBalances: readonly TokenBalance[]
}
type Recorded = { readonly transactions: readonly { readonly meta: Meta; readonly transaction: Json }[] } & Json

const definition = findBlockchain('SOLANA')
if (!definition) throw new Error('There is no SOLANA')
const chain = chainIn('mainnet', definition)
const [SOL, USDC, USDT] = [6, 10, 14]
const SLOT = 254_170_887
const recorded = load('solana/254170887.block') as Recorded
const everything: TransferFilter = { assets: new Set([SOL, USDC, USDT]), matches: () => true }
const place = { height: 1, hash: 'a', parentHash: 'b', minedAt: new Date(0) }

/** A node that has just the recorded block. */
const node: NodeClient = {
  id: 1,
  label: 'recorded',
  call: async (one: NodeCall) => {
    if (one.rpc !== 'json') throw new Error('JSON-RPC only')
    return one.method === 'getBlock' ? recorded : [SLOT]
  },
  batch: async () => [],
}

/** What owners gained of a mint under the classic program, by the recording itself. */
function gainsOf(mint: string): string[] {
  return recorded.transactions.flatMap(({ meta }) => {
    if (meta.err !== null) return []
    const before = new Map(meta.preTokenBalances.map((one) => [one.accountIndex, one]))
    return meta.postTokenBalances
      .filter((one) => one.mint === mint && one.programId.startsWith('Tokenkeg'))
      .map((one) => BigInt(one.uiTokenAmount.amount) - BigInt(before.get(one.accountIndex)?.uiTokenAmount.amount ?? 0))
      .filter((units) => units > 0n)
      .map(String)
  })
}

describe('solana.reader on recorded blocks', () => {
  it('reads a block of mainnet with versioned transactions, lookup tables and failures', () => {
    const block = readBlock(SLOT, recorded)
    expect(block).toMatchObject({ height: SLOT, parentHeight: SLOT - 1, hash: recorded['blockhash'] })
    expect(block.transactions).toHaveLength(602)
    expect(block.transactions.filter(({ isSuccess }) => !isSuccess)).toHaveLength(305)
    // Lamports are neither made nor lost: the sums differ by the fee only.
    for (const { accounts, fee } of block.transactions) {
      const gone = accounts.reduce((sum, { before, after }) => sum + before - after, 0n)
      expect(gone).toBe(fee)
    }
  })

  it('finds the tokens that owners received, also through inner instructions', () => {
    const transfers = readBlock(SLOT, recorded).transactions.flatMap((tx) =>
      transfersIn(fullReadScope(chain), place, tx),
    )
    for (const [assetId, mint] of [
      [USDC, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
      [USDT, 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'],
    ] as const) {
      const found = transfers.filter((one) => one.assetId === assetId)
      const gains = gainsOf(mint)
      // Accounts that are not the computed one of their owner hold nothing for anybody here.
      expect(found.length).toBeGreaterThan(0)
      expect(found.every(({ units }) => gains.includes(String(units)))).toBe(true)
    }
  })

  it('finds each gain of coins of a successful transaction once, and names who lost', async () => {
    const gains = recorded.transactions.flatMap(({ meta }) =>
      meta.err === null
        ? meta.postBalances.flatMap((after, at) => {
            const units = BigInt(after) - BigInt(meta.preBalances[at] ?? 0)
            return at > 0 && units > 0n ? [units] : []
          })
        : [],
    )
    const [facts] = await readBlocks(sessionAlone(chain, node), { from: SLOT, to: SLOT }, everything)
    const coins = facts?.transfers.filter(({ assetId }) => assetId === SOL) ?? []
    expect(gains.length).toBeGreaterThan(30)
    expect(sum(coins.map(({ units }) => units))).toBeGreaterThanOrEqual(sum(gains))
    expect(coins.every(({ evidence, leg }) => evidence === 'delta' && leg.startsWith('delta:'))).toBe(true)
  })

  it('looks at nothing but the addresses that are asked for', async () => {
    const [one] = readBlock(SLOT, recorded).transactions.flatMap((tx) => transfersIn(fullReadScope(chain), place, tx))
    const matches = (key: Uint8Array) => addressText(key) === one?.to
    const [facts] = await readBlocks(sessionAlone(chain, node), { from: SLOT, to: SLOT }, { ...everything, matches })
    expect(facts?.transfers.length).toBeGreaterThan(0)
    expect(facts?.transfers.every(({ to, senders }) => [to, ...senders].includes(one?.to ?? ''))).toBe(true)
  })

  it('credits nothing of Token-2022 (S3)', () => {
    const tx = readTransaction(load('solana/376243586.transaction'))
    const token2022 = tx.tokens.filter(({ program }) => program.startsWith('Tokenz'))
    expect(token2022.length).toBeGreaterThan(0)
    // Even where the mint were listed.
    const tokens = new Map(token2022.map(({ mint }) => [mint, USDC]))
    const moved = transfersIn({ native: null, tokens, isOurs: null }, place, tx)
    expect(moved).toEqual([])
  })

  it('reads an old block with two tokens in one versioned transaction', () => {
    const [tx] = readBlock(154_808_473, load('solana/154808473.block')).transactions
    expect(tx?.tokens.map(({ mint }) => mint.slice(0, 4))).toEqual(expect.arrayContaining(['EPjF', 'Es9v']))
  })

  it.each([
    ['a balance short', { preBalances: [1] }],
    ['a negative balance', { preBalances: [-1, 0] }],
    ['a fraction', { fee: 0.5 }],
  ])('is refused with %s', (_what, change) => {
    const [first] = recorded.transactions
    expect(() => readTransaction({ ...first, meta: { ...first?.meta, ...change } })).toThrow('malformed')
  })
})

function sum(units: readonly bigint[]): bigint {
  return units.reduce((all, one) => all + one, 0n)
}

function load(name: string): unknown {
  const file = new URL(`../testing/recordings/${name}.json.gz`, import.meta.url)
  return JSON.parse(gunzipSync(readFileSync(file)).toString())
}
