import { sessionAlone } from '../../chain.ts'
import { describe, expect, it } from 'vitest'
import type { TransferFilter } from '../../adapter.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import { chainOf } from '../../testing/anvil-chain.ts'
import { type FakeAnswers, fakeNode } from '../../testing/fake-node.ts'
import { readBlocks } from './blocks.ts'
import { bloomOf } from '../encoding/bloom.ts'
import { toHex } from '../encoding/hex.ts'
import { TRANSFER_TOPIC } from './transfers.ts'

const chain = chainOf('ETH', 'mainnet')
const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const [ETH, USDC] = [1, 7]
const allAssets: TransferFilter = { assets: new Set([ETH, USDC]), matches: (key) => key[19] === 1 }
const tokensOnly: TransferFilter = { ...allAssets, assets: new Set([USDC]) }

const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`
const address = (last: number) => `0x${last.toString(16).padStart(40, '0')}`
const hashOf = (height: number) => word(0xb0000 + height)
const txOf = (height: number) => word(0xf0000 + height)

function block(height: number, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    number: `0x${height.toString(16)}`,
    hash: hashOf(height),
    parentHash: hashOf(height - 1),
    timestamp: '0x65',
    receiptsRoot: word(0),
    logsBloom: bloom,
    transactions: [{ hash: txOf(height), from: address(2), to: usdc, value: '0x0' }],
    ...changes,
  }
}

const bloom = toHex(bloomOf([{ address: usdc, topics: [TRANSFER_TOPIC, word(2), word(1)], data: '0x' }]))

const log = (height: number) => ({
  address: usdc,
  topics: [TRANSFER_TOPIC, word(2), word(1)],
  data: word(5),
  logIndex: '0x0',
  transactionHash: txOf(height),
  blockHash: hashOf(height),
})

const receipt = (height: number, changes: Record<string, unknown> = {}) => ({
  transactionHash: txOf(height),
  blockHash: hashOf(height),
  blockNumber: `0x${height.toString(16)}`,
  status: '0x1',
  gasUsed: '0xffff',
  logs: [log(height)],
  ...changes,
})

const heightOf = (tagOrHash: string) => (tagOrHash === 'latest' ? 50 : Number(tagOrHash))
const hashHeight = (hash: string) => Number(hash) - 0xb0000

const healthy = {
  eth_getBlockByNumber: (height: string) => block(heightOf(height)),
  eth_getBlockReceipts: (hash: string) => [receipt(hashHeight(hash))],
  eth_getTransactionReceipt: (hash: string) => receipt(Number(hash) - 0xf0000),
  eth_getLogs: ({ fromBlock, toBlock }: { fromBlock: string; toBlock: string }) =>
    Array.from({ length: Number(toBlock) - Number(fromBlock) + 1 }, (_, at) => log(Number(fromBlock) + at)),
} satisfies FakeAnswers

function read(answers: FakeAnswers, span: number, filter = tokensOnly) {
  const node = fakeNode({ ...healthy, ...answers })
  const session = sessionAlone(chain, node)
  return { node, result: readBlocks(session, { from: 10, to: 9 + span }, filter) }
}

describe('evm.blocks', () => {
  it('asks for few whole blocks in a request, and for as many headers as one takes', async () => {
    const node = fakeNode(healthy)
    const perRequest = new Map<unknown, number | undefined>()
    const batch: typeof node.batch = (calls, options) => {
      for (const call of calls) {
        const isBlock = call.rpc === 'json' && call.method === 'eth_getBlockByNumber'
        if (isBlock) perRequest.set(call.params[1], options?.perRequest)
      }
      return node.batch(calls, options)
    }
    for (const filter of [allAssets, tokensOnly]) {
      const facts = await readBlocks(sessionAlone(chain, { ...node, batch }), { from: 10, to: 39 }, filter)
      expect(facts.map(({ block: { height } }) => height)).toEqual(Array.from({ length: 30 }, (_, at) => 10 + at))
    }
    expect([perRequest.get(true), perRequest.get(false)]).toEqual([10, undefined])
  })

  it('ends before a block that stands on another parent', async () => {
    const forked = (height: string) => block(heightOf(height), height === '0xc' ? { parentHash: hashOf(99) } : {})
    const blocks = await read({ eth_getBlockByNumber: forked }, 4).result
    expect(blocks.map((one) => one.block.height)).toEqual([10, 11])
  })

  it('names a token leg by its place in its own receipt, not in the block', async () => {
    const [only] = await read({}, 1).result
    expect(only?.transfers).toMatchObject([{ leg: 'log:0', units: 5n, evidence: 'receipt' }])
  })

  it('refuses a node that gives fewer receipts than transactions (E21)', async () => {
    await expect(read({ eth_getBlockReceipts: () => [] }, 1).result).rejects.toMatchObject({ kind: 'inconsistent' })
  })

  it('refuses a receipt that belongs to another block (E18)', async () => {
    const elsewhere = () => [receipt(10, { blockHash: hashOf(77) })]
    await expect(read({ eth_getBlockReceipts: elsewhere }, 1).result).rejects.toThrow('is in another block')
    const one = () => receipt(10, { blockHash: hashOf(77) })
    await expect(read({ eth_getTransactionReceipt: one }, 20).result).rejects.toThrow('is in another block')
  })

  it('refuses logs of a block that is not the one it read', async () => {
    const stray = () => [{ ...log(10), blockHash: hashOf(88) }]
    await expect(read({ eth_getLogs: stray }, 20).result).rejects.toThrow('which is not in the range')
  })

  it('reads receipts of matches only when the node has no receipts per block', async () => {
    const { eth_getBlockByNumber, eth_getLogs, eth_getTransactionReceipt } = healthy
    const node = fakeNode({ eth_getBlockByNumber, eth_getLogs, eth_getTransactionReceipt })
    const session = sessionAlone(chain, node)
    const blocks = await readBlocks(session, { from: 10, to: 10 }, tokensOnly)
    expect(blocks[0]?.transfers).toHaveLength(1)
    expect(node.asked.map(({ method }) => method)).toContain('eth_getLogs')
  })

  it('reads headers without bodies over a long range when only tokens are wanted', async () => {
    const { node, result } = read({}, 20)
    const blocks = await result
    expect(blocks.map((one) => one.block.height)).toEqual(Array.from({ length: 20 }, (_, at) => 10 + at))
    expect(blocks.map(({ transfers }) => transfers.length)).toEqual(Array.from({ length: 20 }, () => 1))
    const asked = node.asked.filter(({ method }) => method === 'eth_getBlockByNumber').slice(2)
    expect(new Set(asked.map(({ params }) => params[1]))).toEqual(new Set([false]))
  })

  it('ends a long range before a block that stands on another parent', async () => {
    const forked = (height: string) => block(heightOf(height), height === '0x14' ? { parentHash: hashOf(99) } : {})
    const blocks = await read({ eth_getBlockByNumber: forked }, 20).result
    expect(blocks.at(-1)?.block.height).toBe(19)
  })

  it('asks for the logs of a block by its hash when the index knows none of a contract in its header (W-8)', async () => {
    const forgetful = (filter: { fromBlock?: string; toBlock?: string; blockHash?: string }) => {
      if (filter.blockHash) return filter.blockHash === hashOf(15) ? [log(15)] : []
      return healthy.eth_getLogs({ fromBlock: '0xa', toBlock: '0x1d', ...filter }).filter((_, at) => at !== 5)
    }
    const { node, result } = read({ eth_getLogs: forgetful }, 20)
    expect((await result).map(({ transfers }) => transfers.length)).toEqual(Array.from({ length: 20 }, () => 1))
    expect(node.asked.filter(({ method }) => method === 'eth_getLogs')).toHaveLength(2)
  })

  it('refuses a node that answers for another height', async () => {
    const stuck = () => block(9)
    await expect(read({ eth_getBlockByNumber: stuck }, 1).result).rejects.toThrow('another block than 10')
  })

  it('halves a range of logs until the node answers', async () => {
    const picky: typeof healthy.eth_getLogs = (filter) => {
      const span = Number(filter.toBlock) - Number(filter.fromBlock) + 1
      if (span > 6) throw new NodeRejected('query returned more than 10000 results', -32602)
      return healthy.eth_getLogs(filter)
    }
    const { node, result } = read({ eth_getLogs: picky }, 20)
    expect((await result).map(({ transfers }) => transfers.length)).toEqual(Array.from({ length: 20 }, () => 1))
    expect(node.asked.filter(({ method }) => method === 'eth_getLogs').length).toBeLessThan(12)
  })

  it('does not halve when the node cannot be reached', async () => {
    const down = () => {
      throw new RetryableRpcError('unreachable', 'connection refused')
    }
    const { node, result } = read({ eth_getLogs: down }, 20)
    await expect(result).rejects.toThrow('connection refused')
    expect(node.asked.filter(({ method }) => method === 'eth_getLogs')).toHaveLength(1)
  })

  it('refuses a trace that covers fewer transactions than the block', async () => {
    const answers = { debug_traceBlockByHash: () => [] }
    await expect(read(answers, 1, allAssets).result).rejects.toThrow('does not cover every transaction')
  })

  it('does not trace a block in which no code ran', async () => {
    const plain = (hash: string) => [receipt(hashHeight(hash), { gasUsed: '0x5208' })]
    const { node, result } = read({ eth_getBlockReceipts: plain, debug_traceBlockByHash: () => [] }, 1, allAssets)
    await result
    // The one trace is the probe for the feature.
    expect(node.asked.filter(({ method }) => method === 'debug_traceBlockByHash')).toHaveLength(1)
  })

  it.each([
    ['hash', { hash: '0x12' }],
    ['number', { number: null }],
    ['value', { transactions: [{ hash: txOf(10), from: address(2), to: usdc, value: 5 }] }],
  ])('refuses a block with an unusable %s', async (_, changes) => {
    const broken = (height: string) => (height === 'latest' ? block(50) : block(heightOf(height), changes))
    await expect(read({ eth_getBlockByNumber: broken }, 1).result).rejects.toMatchObject({ kind: 'malformed' })
  })
})
