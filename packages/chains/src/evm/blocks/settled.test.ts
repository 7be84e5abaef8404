import fc from 'fast-check'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { ChainSession, Transfer, TransferFilter } from '../../adapter.ts'
import { sessionAlone } from '../../chain.ts'
import { NodeRejected } from '../../errors.ts'
import type { JsonCall, NodeCall } from '../../node/client.ts'
import { type AnvilChain, chainOf, openAnvilChain, probeData } from '../../testing/anvil-chain.ts'
import { answer, NodeRefusal } from '../../testing/fake-chain/answers.ts'
import { createFakeChain } from '../../testing/fake-chain/block-tree.ts'
import { FAKES, sendCoin, sendThroughContract, sendToken } from '../../testing/fake-chain/transactions.ts'
import { jsonNode } from '../../testing/fake-node.ts'
import { fromHex, toHex } from '../encoding/hex.ts'
import { SUM_PROGRAM } from './balance-sums.ts'
import { readBlocks } from './blocks.ts'

const [ETH, USDC] = [1, 7]
const account = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const ours = account.address.toLowerCase() as Hex
const alsoOurs: Hex = '0x6fac4d18c912343bf86fa7049364dd4e424ab9c0'
const stranger: Hex = '0x00000000000000000000000000000000000000f1'
const keys = [ours, alsoOurs].map(fromHex)
const listed: TransferFilter = {
  assets: new Set([ETH, USDC]),
  matches: (key) => [ours, alsoOurs].includes(toHex(key) as Hex),
  keys: () => keys,
}
/** The same addresses without a list of them: every block is traced. */
const unlisted: TransferFilter = { assets: listed.assets, matches: listed.matches }

const TRACE = 'debug_traceBlockByHash'
const textOf = ({ txId, leg, units, to, block }: Transfer) => [block.height, txId, leg, units, to].join(' ')

/** What is found, and how many blocks are traced for it. */
async function readWith(session: ChainSession, filter: TransferFilter, range: { from: number; to: number }) {
  // The probe for what the node can do is no part of the reading.
  await readBlocks(session, { from: range.from, to: range.from }, filter)
  const asked: JsonCall[] = []
  const note = (call: NodeCall) => call.rpc === 'json' && void asked.push(call)
  const { node } = session
  const call = node.call.bind(node)
  const batch = node.batch.bind(node)
  node.call = (one, options) => (note(one), call(one, options))
  node.batch = (calls, options) => (calls.forEach(note), batch(calls, options))
  const facts = await readBlocks(session, range, filter)
  Object.assign(node, { call, batch })
  return {
    found: facts.flatMap(({ transfers }) => transfers.map(textOf)),
    isComplete: facts.every(({ internalTransfers }) => internalTransfers === 'complete'),
    traced: asked.filter(({ method }) => method === TRACE).length,
  }
}

const usdc =
  chainOf('ETH', 'sandbox')
    .assets.find(({ id }) => id === USDC)
    ?.address.toLowerCase() ?? ''
const EVENTS = {
  code: (name: string) => sendToken({ name, from: stranger, to: stranger, units: 1n, token: usdc }),
  coin: (name: string) => sendCoin({ name, from: stranger, to: ours, units: 5n }),
  failed: (name: string) => FAKES.failedCoin({ name, from: stranger, to: ours, units: 5n }),
  token: (name: string) => sendToken({ name, from: stranger, to: ours, units: 5n, token: usdc }),
  forward: (name: string) => sendThroughContract({ name, from: stranger, to: ours, units: 5n }),
  other: (name: string) => sendThroughContract({ name, from: stranger, to: alsoOurs, units: 5n }),
  frames: (name: string) => FAKES.frames({ name, from: stranger, to: ours, units: 5n }),
  spend: (name: string) => sendCoin({ name, from: ours, to: stranger, units: 5n }),
  inside: (name: string) => sendCoin({ name, from: ours, to: alsoOurs, units: 5n }),
} as const
type Event = keyof typeof EVENTS

/** A fake chain in which code runs in every block, and these things happen in some; `refused` is what its node does not do. */
function chainWith(
  happening: ReadonlyMap<number, readonly Event[]>,
  length: number,
  refused: (call: JsonCall) => boolean,
) {
  const fake = createFakeChain({ chainId: 31_337, startTime: 1_700_000_000, hasFinality: false })
  // No account spends more than it has.
  fake.mine(1_700_000_000, [sendCoin({ name: 'funds', from: stranger, to: ours, units: 1_000n })])
  for (let height = 1; height <= length; height += 1) {
    const events: readonly Event[] = ['code', ...(happening.get(height) ?? [])]
    fake.mine(
      1_700_000_000 + height * 12,
      events.map((event, at) => EVENTS[event](`${height} ${at}`)),
    )
  }
  const node = jsonNode((call) => {
    if (refused(call)) throw new NodeRejected('missing trie node', -32000)
    try {
      return answer(fake.view(), call)
    } catch (error) {
      if (error instanceof NodeRefusal) throw new NodeRejected(error.message, error.code)
      throw error
    }
  })
  return sessionAlone(chainOf('ETH', 'sandbox'), node)
}

const LENGTH = 40
const RANGE = { from: 2, to: LENGTH + 1 }

describe('evm.unsettledBlocks', () => {
  it('finds what tracing every block finds, whatever happens in them', async () => {
    const names = fc.constantFrom(...(Object.keys(EVENTS) as Event[]))
    const events = fc.array(fc.tuple(fc.integer({ min: 1, max: LENGTH }), names), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(events, async (pairs) => {
        const happening = new Map(
          [...Map.groupBy(pairs, ([at]) => at)].map(([at, all]) => [at, all.map(([, one]) => one)]),
        )
        const session = chainWith(happening, LENGTH, () => false)
        const all = await readWith(session, unlisted, RANGE)
        const some = await readWith(session, listed, RANGE)
        expect(some.found).toEqual(all.found)
        expect([some.isComplete, all.isComplete, all.traced]).toEqual([true, true, LENGTH])
      }),
      { numRuns: 60 },
    )
  })

  it('traces nothing where the balances rose by what the receipts say, and little where they did not', async () => {
    const paid = new Map<number, Event[]>([
      [9, ['coin']],
      [30, ['coin', 'token', 'failed', 'frames']],
    ])
    expect(
      (
        await readWith(
          chainWith(paid, LENGTH, () => false),
          listed,
          RANGE,
        )
      ).traced,
    ).toBe(0)
    const forwarded = new Map<number, Event[]>([...paid, [17, ['forward']]])
    const { traced, found } = await readWith(
      chainWith(forwarded, LENGTH, () => false),
      listed,
      RANGE,
    )
    expect(traced).toBeLessThan(4)
    expect(found).toHaveLength(4)
  })

  it('traces every block when the node does not add up', async () => {
    const happening = new Map<number, Event[]>([[17, ['forward']]])
    const session = chainWith(happening, LENGTH, ({ method }) => method === 'eth_call')
    expect(await readWith(session, listed, RANGE)).toMatchObject({ traced: LENGTH, found: [expect.any(String)] })
  })

  it('compares only the newest blocks when the node has forgotten what was held before them', async () => {
    const happening = new Map<number, Event[]>([[38, ['forward']]])
    const hashes: string[] = []
    const session = chainWith(happening, LENGTH, ({ method, params }) => {
      const at = (params[1] as { blockHash?: string } | undefined)?.blockHash
      return method === 'eth_call' && at !== undefined && hashes.includes(at)
    })
    const facts = await readBlocks(session, RANGE, unlisted)
    hashes.push(...facts.slice(0, 20).flatMap(({ block }) => [block.hash, block.parentHash]))
    const { traced, found } = await readWith(session, listed, RANGE)
    expect(found).toHaveLength(1)
    expect(traced).toBeGreaterThanOrEqual(20)
    expect(traced).toBeLessThan(27)
  })

  it('does not believe a node that adds up at another block than the one asked for', async () => {
    const happening = new Map<number, Event[]>([[17, ['forward']]])
    const honest = chainWith(happening, LENGTH, () => false)
    const stuck = jsonNode((call) =>
      honest.node.call(isSum(call) ? { ...call, params: [call.params[0], 'latest'] } : call),
    )
    const { found } = await readWith(sessionAlone(honest.chain, stuck), listed, RANGE)
    expect(found).toHaveLength(1)
  })

  it('does not compare more addresses than traces cost', async () => {
    const many = Array.from({ length: 50_000 }, (_, at) => fromHex(`0x${at.toString(16).padStart(40, '0')}`))
    const session = chainWith(new Map([[17, ['forward']]]), LENGTH, () => false)
    const { traced, found } = await readWith(session, { ...listed, keys: () => [...many, ...keys] }, RANGE)
    expect([traced, found.length]).toEqual([LENGTH, 1])
  })
})

const isSum = ({ method, params }: JsonCall) =>
  method === 'eth_call' && (params[0] as { data: string }).data.startsWith(`0x${SUM_PROGRAM}`)

describe('evm.unsettledBlocks on a real node', () => {
  let anvil: AnvilChain
  let start = 0
  beforeAll(async () => {
    anvil = await openAnvilChain()
  }, 30_000)
  afterAll(() => anvil.stop())
  beforeEach(async () => {
    start = (await anvil.height()) + 1
  })

  const busy = async (blocks: number) => {
    for (let at = 0; at < blocks; at += 1) await anvil.probeCalls([{ target: stranger, value: 1n }], 1n)
  }
  const read = async (filter: TransferFilter) =>
    readWith(anvil.session, filter, { from: start, to: await anvil.height() })

  it('adds up real balances, and finds what contracts forward among payments', async () => {
    await busy(12)
    await anvil.send({ to: ours, value: 7n })
    await anvil.probeCalls([{ target: alsoOurs, value: 3n }], 3n)
    await anvil.probeCalls(
      [
        { target: stranger, value: 0n },
        { target: ours, value: 2n },
      ],
      2n,
    )
    await busy(12)
    const some = await read(listed)
    expect(some.found).toEqual((await read(unlisted)).found)
    expect(some.found).toHaveLength(3)
    expect(some.traced).toBeLessThan(8)
    start = (await anvil.height()) + 1
    await busy(12)
    await anvil.send({ to: ours, value: 7n })
    expect(await read(listed)).toMatchObject({ traced: 0, found: [expect.stringContaining(' value 7 ')] })
  }, 30_000)

  it('finds what reached an account that its own signature let send it on at once (EIP-7702)', async () => {
    const nonce = Number(await anvil.call('eth_getTransactionCount', ours, 'latest'))
    const delegate = async (address: Hex, at: number) => {
      const signed = await account.signAuthorization({ contractAddress: address, chainId: 31_337, nonce: at })
      const quantity = (value: number | bigint | undefined) => `0x${(value ?? 0).toString(16)}`
      const authorization = {
        address,
        chainId: quantity(signed.chainId),
        nonce: quantity(signed.nonce),
        yParity: quantity(signed.yParity),
        r: signed.r,
        s: signed.s,
      }
      await anvil.call('eth_sendTransaction', {
        from: anvil.payer,
        to: stranger,
        gas: quantity(200_000),
        authorizationList: [authorization],
      })
    }
    const before = await anvil.call('eth_getBalance', ours, 'latest')
    await busy(8)
    await delegate(anvil.probe, nonce)
    await anvil.probeCalls([{ target: ours, value: 9n }], 9n)
    const onward = { target: stranger, value: 9n, data: '0x', mayFail: false }
    await anvil.send({ to: ours, data: probeData('execute', [[onward]]) })
    await delegate(`0x${'0'.repeat(40)}`, nonce + 1)
    await busy(8)
    expect(await anvil.call('eth_getBalance', ours, 'latest')).toBe(before)
    expect(await anvil.call('eth_getCode', ours, 'latest')).toBe('0x')
    expect((await read(listed)).found).toEqual([
      expect.stringContaining(`internal:${ours}:0 9 `),
      expect.stringContaining(`internal:${stranger}:0 9 `),
    ])
  }, 30_000)
})
