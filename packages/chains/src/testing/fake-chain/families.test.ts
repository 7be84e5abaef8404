import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { SANDBOX_SOLANA_TOKENS, SANDBOX_TRON_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { describe, expect, it } from 'vitest'

import type { ChainAdapter } from '../../adapter.ts'
import { adapterOf } from '../../adapters.ts'
import { chainIn, sessionAlone } from '../../chain.ts'
import { NodeRejected } from '../../errors.ts'
import type { NodeCall, NodeClient } from '../../node/client.ts'
import { NodeRefusal } from './answers.ts'
import { answerBitcoin } from './bitcoin/answers.ts'
import { bitcoinGenesis, sealBitcoin } from './bitcoin/blocks.ts'
import { BITCOIN_FAKES, payBitcoin, replacementOf, withoutDoubleSpends } from './bitcoin/transactions.ts'
import { type ChainView, createFakeChain } from './block-tree.ts'
import type { Seal } from './sealing.ts'
import { answerSolana } from './solana/answers.ts'
import { sealSolana } from './solana/blocks.ts'
import { paySolana, SOLANA_FAKES } from './solana/transactions.ts'
import type { FakeTransaction } from './transactions.ts'
import { answerTron, SOLIDIFIED_BEHIND } from './tron/answers.ts'
import { sealTron } from './tron/blocks.ts'
import { passOnTrx, sendTrc20, sendTrc20Batch, sendTrx, TRON_FAKES } from './tron/transactions.ts'

const NAME = { name: 'payment', units: 1_234_567n }

/** What a fake chain of a family is made of, whom it pays, and what looks like a payment there. */
type Family = {
  readonly code: 'TRX' | 'BTC' | 'SOLANA'
  readonly genesis: { readonly hash: string; readonly bytes?: Uint8Array }
  readonly seal: Seal
  readonly answer: (view: ChainView, call: NodeCall) => unknown
  readonly to: string
  readonly payments: readonly FakeTransaction[]
  readonly fakes: readonly FakeTransaction[]
}

const TRON_TO = { from: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', to: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH' }
const TOKEN = SANDBOX_TRON_TOKENS.usdt
const BITCOIN_TO = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const SOLANA_TO = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'
const MINT = SANDBOX_SOLANA_TOKENS.usdc

const FAMILIES: readonly Family[] = [
  {
    code: 'TRX',
    genesis: { hash: (31_341).toString(16).padStart(64, '0') },
    seal: sealTron,
    answer: (view, call) => {
      const answer =
        call.rpc === 'rest' ? answerTron(view, call.path, (call.body ?? {}) as Record<string, unknown>) : undefined
      return answer ?? refuse('HTTP 404', 404)
    },
    to: TRON_TO.to,
    payments: [
      sendTrx({ ...NAME, ...TRON_TO }),
      sendTrc20({ ...NAME, ...TRON_TO, token: TOKEN, before: 2 }),
      sendTrc20Batch({ ...NAME, ...TRON_TO, legs: [1n, 2n].map((units) => ({ units, token: TOKEN, to: TRON_TO.to })) }),
      passOnTrx({ ...NAME, name: 'passed on', ...TRON_TO }),
    ],
    fakes: Object.entries(TRON_FAKES).map(([name, fake]) => fake({ ...NAME, name, ...TRON_TO, token: TOKEN })),
  },
  {
    code: 'BTC',
    genesis: bitcoinGenesis('sandbox'),
    seal: sealBitcoin,
    answer: (view, call) =>
      call.rpc === 'json' ? answerBitcoin({ view, waiting: [] }, call.method, call.params) : refuse('HTTP 404', 404),
    to: BITCOIN_TO,
    payments: [
      payBitcoin('sandbox', { coin: 'one', legs: [{ to: BITCOIN_TO, units: 5n }] }),
      payBitcoin('sandbox', { coin: 'two', legs: [1n, 2n].map((units) => ({ to: BITCOIN_TO, units })) }),
    ],
    fakes: Object.entries(BITCOIN_FAKES).map(([name, fake]) => fake('sandbox', { ...NAME, name, to: BITCOIN_TO })),
  },
  {
    code: 'SOLANA',
    genesis: { hash: findBlockchain('SOLANA')?.networks.sandbox.genesisHash ?? '' },
    seal: sealSolana,
    answer: (view, call) =>
      call.rpc === 'json' ? answerSolana(view, call.method, call.params) : refuse('HTTP 404', 404),
    to: SOLANA_TO,
    payments: [
      paySolana({ name: 'coins', legs: [{ token: null, to: SOLANA_TO, units: 7n }] }),
      paySolana({ name: 'tokens', legs: [{ token: MINT, to: SOLANA_TO, units: 9n }] }),
      paySolana({ name: 'twice', legs: [3n, 4n].map((units) => ({ token: MINT, to: SOLANA_TO, units })) }),
    ],
    fakes: Object.entries(SOLANA_FAKES).map(([name, fake]) => fake({ ...NAME, name, token: MINT, to: SOLANA_TO })),
  },
]

describe.each(FAMILIES)('a fake chain of $code', (family) => {
  it('shows its adapter what truly moved, and nothing of what only looks like it', async () => {
    const { chain, read } = open(family)
    chain.mine(2_000, [...family.payments, ...family.fakes])
    const moves = family.payments.flatMap(({ hash, moves: made }) => made.map((move) => ({ hash, ...move })))
    expect(await read()).toEqual(moves.map(({ hash, leg, to, units }) => [hash, leg, to, units].join(' ')))
  })

  it('shows the same in another block when a branch is left', async () => {
    const { chain, read } = open(family)
    chain.mine(2_000, family.payments)
    const [before, hash] = [await read(), chain.head().hash]
    chain.leave(1)
    chain.mine(2_000, family.payments)
    expect(chain.head().hash).not.toBe(hash)
    expect(await read()).toEqual(before)
  })

  it('shows nothing of what fails on another branch', async () => {
    const { chain, read } = open(family)
    chain.mine(
      2_000,
      family.payments.map((tx) =>
        family.code === 'BTC' ? replacementOf(tx) : { ...tx, isSuccess: false, logs: [], calls: [], moves: [] },
      ),
    )
    expect(await read()).toEqual([])
  })
})

describe.each(FAMILIES)('identify of $code', (family) => {
  it('asks anew, because a node may serve another network than when it was asked last', async () => {
    const { session, reader, moveTo } = open(family)
    expect(await reader.identify(session)).toMatchObject({ isExpected: true })
    moveTo(family.code === 'SOLANA' ? SOLANA_TO : 'e'.repeat(64))
    expect(await reader.identify(session)).toMatchObject({ isExpected: false })
    await expect(reader.heads(session)).rejects.toThrow(/another|not/)
  })
})

describe('fake chains', () => {
  it('of Bitcoin hold one of two transactions that spend the same coin', () => {
    const [paid] = FAMILIES.find(({ code }) => code === 'BTC')?.payments ?? []
    if (!paid) throw new Error('Nobody pays')
    expect(withoutDoubleSpends([], [paid, replacementOf(paid)])).toEqual([paid])
    expect(withoutDoubleSpends([{ transactions: [replacementOf(paid)] }], [paid])).toEqual([])
  })

  it('of TRON call a block final when 19 lie on top of it', async () => {
    const { chain, session, reader } = open(FAMILIES[0] as Family, 'mainnet')
    for (let n = 0; n < SOLIDIFIED_BEHIND + 5; n += 1) chain.mine(3_000 + 3 * n, [])
    const { latest, finalized } = await reader.heads(session)
    expect([latest.height, finalized?.height]).toEqual([27, 8])
  })

  it('of Solana skip slots', () => {
    const { chain } = open(FAMILIES[2] as Family)
    for (let n = 0; n < 40; n += 1) chain.mine(3_000 + n, [])
    const heights = chain.view().blocks.map(({ height }) => height)
    expect(heights).toEqual(heights.toSorted((a, b) => a - b))
    expect((heights.at(-1) ?? 0) - (heights[1] ?? 0)).toBeGreaterThan(50)
  })
})

function open({ code, genesis, seal, answer, to }: Family, mode: 'sandbox' | 'mainnet' = 'sandbox') {
  const definition = findBlockchain(code)
  const adapter: ChainAdapter | undefined = definition && adapterOf(definition.family)
  if (!definition || !adapter) throw new Error(`There is no ${code}`)
  const hash = mode === 'sandbox' ? genesis.hash : (definition.networks[mode].genesisHash ?? '')
  const chain = createFakeChain({
    ...{ chainId: 1, genesisHash: hash, startTime: 1_000, hasFinality: false, seal },
    ...(genesis.bytes && { genesisBytes: genesis.bytes }),
  })
  for (let n = 0; n < 3; n += 1) chain.mine(1_100 + n, [])
  let genesisHash = hash
  const view = (): ChainView => {
    const { blocks, ...rest } = chain.view()
    return { ...rest, blocks: blocks.map((block) => (block.height === 0 ? { ...block, hash: genesisHash } : block)) }
  }
  const call = async (one: NodeCall): Promise<unknown> => {
    try {
      return structuredClone(answer(view(), one))
    } catch (error) {
      throw error instanceof NodeRefusal ? new NodeRejected(error.message, error.code) : error
    }
  }
  const node: NodeClient = {
    id: 1,
    label: 'fake',
    call,
    batch: (calls) => Promise.allSettled(calls.map((one) => call(one))),
  }
  const listed = chainIn(mode, definition)
  const session = sessionAlone(listed, node)
  const own = hex(adapter.addresses.key(listed, to))
  const filter = { assets: new Set(listed.assets.map(({ id }) => id)), matches: (key: Uint8Array) => hex(key) === own }
  const read = async () => {
    const { height } = chain.head()
    const [facts] = await adapter.reader.blocks(session, { from: height, to: height }, filter)
    return (facts?.transfers ?? []).map(({ txId, leg, units, to: receiver }) => [txId, leg, receiver, units].join(' '))
  }
  const moveTo = (other: string) => {
    genesisHash = other
  }
  return { chain, session, read, reader: adapter.reader, moveTo }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

function refuse(message: string, code: number): never {
  throw new NodeRejected(message, code)
}
