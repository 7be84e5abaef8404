import { describe, expect, it } from 'vitest'
import type { BlockFacts, ChainAdapter, ChainReader, Leg, Transfer } from '../adapter.ts'
import { bitcoinAdapter } from '../bitcoin/adapter.ts'
import { evmAdapter as evm } from '../evm/adapter.ts'
import { openBitcoinConformanceChain } from './bitcoin-conformance-chain.ts'
import { rulesFor } from './conformance.ts'
import { openEvmConformanceChain } from './evm-conformance-chain.ts'
import { tronAdapter } from '../tron/adapter.ts'
import { solanaAdapter } from '../solana/adapter.ts'
import { openSolanaConformanceChain } from './solana-chain.ts'
import { openTronConformanceChain } from './tron-conformance-chain.ts'

describe('conformance of the EVM adapter', () => {
  it.each(rulesFor(evm))('$name', async ({ check }) => {
    await check(evm, openEvmConformanceChain())
  })
})

describe('conformance of the TRON adapter', () => {
  it.each(rulesFor(tronAdapter))('$name', async ({ check }) => {
    await check(tronAdapter, openTronConformanceChain())
  })
})

describe.each(['json-rpc', 'esplora'] as const)('conformance of the Bitcoin adapter through %s', (through) => {
  it.each(rulesFor(bitcoinAdapter))('$name', async ({ check }) => {
    await check(bitcoinAdapter, openBitcoinConformanceChain(through))
  })
})

describe('conformance of the Solana adapter', () => {
  it.each(rulesFor(solanaAdapter))('$name', async ({ check }) => {
    await check(solanaAdapter, openSolanaConformanceChain())
  })
})

const { reader, addresses, transactions, balances, partial, contracts } = evm
const withReader = (changes: Partial<ChainReader>): ChainAdapter => ({ ...evm, reader: { ...reader, ...changes } })
/** An adapter whose blocks are changed on the way, but not what it says of single transactions. */
const withBlocks = (change: (facts: BlockFacts[], asked: Parameters<ChainReader['blocks']>) => BlockFacts[]) =>
  withReader({ blocks: async (...asked) => change(await reader.blocks(...asked), asked) })
const withTransfers = (change: (transfer: Transfer) => readonly Transfer[]) =>
  withBlocks((facts) => facts.map((one) => ({ ...one, transfers: one.transfers.flatMap(change) })))
/** An adapter that looks for other addresses than it was asked to; the fake's addresses differ in their first byte. */
const looksFor = (matches: (key: Uint8Array, isAsked: boolean) => boolean) =>
  withReader({
    blocks: (session, range, filter) =>
      reader.blocks(session, range, { ...filter, matches: (key) => matches(key, filter.matches(key)) }),
  })

/** One adapter that is wrong, and the rule that must refuse it. */
const wrongAdapters: readonly { readonly what: string; readonly rule: RegExp; readonly adapter: ChainAdapter }[] = [
  {
    what: 'formats an address in another spelling',
    rule: /formatted, parsed and keyed/,
    adapter: { ...evm, addresses: { ...addresses, format: (...asked) => addresses.format(...asked).toLowerCase() } },
  },
  {
    what: 'takes an address without its checksum',
    rule: /no address is refused/,
    adapter: { ...evm, addresses: { ...addresses, parse: (_chain, text) => text } },
  },
  {
    what: 'normalizes an address to lower case',
    rule: /spelling of an address/,
    adapter: { ...evm, addresses: { ...addresses, normalize: (_chain, text) => text.trim().toLowerCase() } },
  },
  {
    what: 'takes any text for the id of a transaction',
    rule: /id of a transaction/,
    adapter: { ...evm, transactions: { ...transactions, normalizeId: (text) => text.trim() } },
  },
  { what: 'gives blocks newest first', rule: /ascending/, adapter: withBlocks((facts) => facts.toReversed()) },
  {
    what: 'rounds units to what a number can hold',
    rule: /exact units/,
    adapter: withTransfers((one) => [{ ...one, units: BigInt(Number(one.units)) }]),
  },
  { what: 'finds a transfer twice', rule: /found once/, adapter: withTransfers((one) => [one, one]) },
  {
    what: 'finds what a stranger receives',
    rule: /from one stranger to another/,
    adapter: looksFor((key, isAsked) => isAsked || key[0] === 0xfb),
  },
  {
    what: 'loses what one of our addresses sends',
    rule: /from one of our addresses/,
    adapter: withTransfers((one) => (one.senders.some((from) => from.startsWith('0x98')) ? [] : [one])),
  },
  {
    what: 'finds assets nobody asked for',
    rule: /assets that are asked for/,
    adapter: withReader({
      blocks: (session, range, filter) => reader.blocks(session, range, { ...filter, assets: new Set([1, 7]) }),
    }),
  },
  {
    what: 'calls a failed transaction included',
    rule: /failed transaction/,
    adapter: withReader({
      async transaction(...asked) {
        const facts = await reader.transaction(...asked)
        return facts.state === 'failed' ? { ...facts, state: 'included', transfers: [] } : facts
      },
    }),
  },
  {
    what: 'names a leg by where it was found when it catches up',
    rule: /same leg however/,
    adapter: withBlocks((facts, [, { from, to }]) =>
      to - from < 10
        ? facts
        : facts.map((one) => ({ ...one, transfers: one.transfers.map((each) => ({ ...each, leg: 'log:99' as Leg })) })),
    ),
  },
  {
    what: 'names a leg by its block',
    rule: /reorganisation mines it again/,
    adapter: withTransfers((one) => [{ ...one, leg: `log:${Number(`0x${one.block.hash.slice(2, 12)}`)}` as Leg }]),
  },
  {
    what: 'calls a transaction pending that it does not know',
    rule: /nobody sent is unknown/,
    adapter: withReader({
      async transaction(...asked) {
        const facts = await reader.transaction(...asked)
        return facts.state === 'unknown' ? { state: 'pending' } : facts
      },
    }),
  },
  {
    what: 'takes every node for one of its network',
    rule: /another network/,
    adapter: withReader({ identify: async (session) => ({ ...(await reader.identify(session)), isExpected: true }) }),
  },
  {
    what: 'shows a head that is one behind',
    rule: /newest block/,
    adapter: withReader({
      async heads(session) {
        const { latest } = await reader.heads(session)
        return { latest: { ...latest, height: latest.height - 1 } }
      },
    }),
  },
  {
    what: 'reads balances at the head, whatever block is asked for',
    rule: /balances are read/,
    adapter: { ...evm, balances: { ...balances, read: (session, asks) => balances.read(session, asks) } },
  },
  {
    what: 'takes what an address holds for what it rose by',
    rule: /rise of a balance/,
    adapter: {
      ...evm,
      balances: {
        ...balances,
        rise: async (session, ask, block) => (await balances.read(session, [ask], block))[0]?.units ?? 0n,
      },
    },
  },
  {
    what: 'names every rise of an address alike',
    rule: /rise that no transaction explains/,
    adapter: {
      ...evm,
      balances: {
        ...balances,
        transferOf: (...asked) => ({ ...balances.transferOf(...asked), leg: 'balance:0' as Leg }),
      },
    },
  },
  {
    what: 'takes the rise of a balance for what was received',
    rule: /really reached/,
    adapter: { ...evm, received: { units: balances.rise } },
  },
  {
    what: 'loses a transfer of a block that it reads in parts',
    rule: /read in parts/,
    adapter: {
      ...evm,
      partial: {
        async read(...asked) {
          const read = await partial.read(...asked)
          return read && { ...read, transfers: read.transfers.slice(1) }
        },
      },
    },
  },
  {
    what: 'takes every node for one that traces',
    rule: /contracts pass on/,
    adapter: { ...evm, traces: { isTracing: async () => true } },
  },
  {
    what: 'states other decimals than the contract',
    rule: /contract of a listed token/,
    adapter: {
      ...evm,
      contracts: {
        ...contracts,
        read: async (...asked) => (await contracts.read(...asked)).map((fact) => ({ ...fact, decimals: 18 })),
      },
    },
  },
]

describe('conformance of wrong adapters', () => {
  it('refuses an adapter that reads what addresses hold in another order', async () => {
    const { holdings } = tronAdapter
    const adapter = {
      ...tronAdapter,
      holdings: {
        read: async (...asked: Parameters<typeof holdings.read>) => (await holdings.read(...asked)).toReversed(),
      },
    }
    const [rule] = rulesFor(adapter).filter(({ name }) => name.startsWith('holdings'))
    await expect(rule?.check(adapter, openTronConformanceChain())).rejects.toThrow('the rises')
  })

  it.each(wrongAdapters)('refuses an adapter that $what', async ({ rule, adapter }) => {
    const found = rulesFor(adapter).filter(({ name }) => rule.test(name))
    expect(found).toHaveLength(1)
    for (const { check } of found) {
      await expect(Promise.resolve().then(() => check(adapter, openEvmConformanceChain()))).rejects.toThrow(Error)
    }
  })

  it('has a wrong adapter for every rule', () => {
    const named = rulesFor(evm).filter(({ name }) => wrongAdapters.some(({ rule }) => rule.test(name)))
    expect(named).toEqual(rulesFor(evm))
  })

  it('asks nothing about a group that a family lacks', () => {
    const { balances: _balances, received: _received, partial: _partial, traces: _traces, ...rest } = evm
    const { contracts: _contracts, ...required } = rest
    const asked = rulesFor(required)
    expect(asked.every(({ group }) => group === undefined)).toBe(true)
    expect(rulesFor(evm).filter(({ group }) => group === undefined)).toEqual(asked)
  })
})
