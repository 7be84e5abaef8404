import { describe, expect, it } from 'vitest'
import { sessionAlone } from '../../chain.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import { chainOf } from '../../testing/anvil-chain.ts'
import { type FakeAnswers, fakeNode } from '../../testing/fake-node.ts'
import { identify, readHeads } from './heads.ts'

const genesis = '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3'
const heights: Record<string, number> = { latest: 100, safe: 68, finalized: 36, '0x0': 0 }
const block = (tag: string) => ({
  number: `0x${(heights[tag] ?? 0).toString(16)}`,
  hash: tag === '0x0' ? genesis : `0x${'ab'.repeat(32)}`,
  parentHash: `0x${'00'.repeat(32)}`,
  timestamp: '0x65',
})
const healthy = {
  eth_chainId: () => '0x1',
  web3_clientVersion: () => 'Geth/v1',
  eth_getBlockByNumber: block,
} satisfies FakeAnswers

const sessionOf = (answers: FakeAnswers = {}) =>
  sessionAlone(chainOf('ETH', 'mainnet'), fakeNode({ ...healthy, ...answers }))

describe('evm.heads', () => {
  it('reads newest, safe and finalized', async () => {
    const heads = await readHeads(sessionOf())
    expect([heads.latest.height, heads.safe?.height, heads.finalized?.height]).toEqual([100, 68, 36])
  })

  it('leaves out a tag that the node refuses', async () => {
    const old = (tag: string) => {
      if (tag === 'safe' || tag === 'finalized') throw new NodeRejected('invalid block tag', -32602)
      return block(tag)
    }
    expect(Object.keys(await readHeads(sessionOf({ eth_getBlockByNumber: old })))).toEqual(['latest'])
  })

  it('does not take a failing node for a chain without finality', async () => {
    const failing = (tag: string) => {
      if (tag === 'finalized') throw new RetryableRpcError('timeout', 'late')
      return block(tag)
    }
    await expect(readHeads(sessionOf({ eth_getBlockByNumber: failing }))).rejects.toThrow('late')
  })

  it('refuses a node of another chain (E22)', async () => {
    await expect(readHeads(sessionOf({ eth_chainId: () => '0x38' }))).rejects.toThrow(
      'serves chain 56, not Ethereum (1)',
    )
  })
})

describe('evm.identify', () => {
  it('names the chain by its id and genesis hash', async () => {
    expect(await identify(sessionOf())).toEqual({
      chainIdentifier: `1:${genesis}`,
      client: 'Geth/v1',
      completeness: 1 / 3,
      isExpected: true,
    })
  })

  it.each([
    ['another chain id', { eth_chainId: () => '0x38' }],
    ['another genesis', { eth_getBlockByNumber: () => block('latest') }],
  ])('does not expect %s', async (_, answers) => {
    expect(await identify(sessionOf(answers))).toMatchObject({ isExpected: false })
  })

  it('fails rather than calling a feature absent when the node fails', async () => {
    const down = () => {
      throw new RetryableRpcError('unreachable', 'down')
    }
    await expect(identify(sessionOf({ eth_getBlockReceipts: down }))).rejects.toThrow('down')
  })
})
