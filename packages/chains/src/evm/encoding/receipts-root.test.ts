import fc from 'fast-check'
import { concatHex, keccak256, toRlp } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { type AnvilChain, openAnvilChain } from '../../testing/anvil-chain.ts'
import { fakeNode } from '../../testing/fake-node.ts'
import { readBlocks } from '../blocks/blocks.ts'
import { bloomOf, mayHold, probeOf } from './bloom.ts'
import { fromHex, toHex, toQuantity } from './hex.ts'
import { orderedRoot } from './ordered-trie.ts'
import { areProven, headerHash } from './receipts-root.ts'
import { encodeRlp, type Rlp } from '@kassa/keys/evm/rlp.ts'
import { list, object, readBlock, readReceipt, type WireBlock, type WireReceipt } from './wire.ts'

let anvil: AnvilChain

beforeAll(async () => {
  anvil = await openAnvilChain()
}, 30_000)
afterAll(() => anvil.stop())

/** Mines one block with `count` token transfers and reads it with its receipts. */
async function blockOf(count: number): Promise<{ block: WireBlock; receipts: WireReceipt[] }> {
  await anvil.call('evm_setAutomine', false)
  for (let at = 0; at < count; at += 1) {
    await anvil.transferSoon(SANDBOX_TOKENS.usdc, `0x${(at + 1).toString(16).padStart(40, '0')}`, BigInt(at + 1))
  }
  await anvil.mine()
  await anvil.call('evm_setAutomine', true)
  const height = toQuantity(await anvil.height())
  const block = readBlock(await anvil.call('eth_getBlockByNumber', height, true))
  const answers = list(await anvil.call('eth_getBlockReceipts', height), 'receipts')
  if (!block) throw new Error('The block was not mined')
  return { block, receipts: answers.flatMap((answer) => readReceipt(answer) ?? []) }
}

/** The block as if it held this deposit transaction alone; encoded by viem, with the trie of one leaf written out. */
function sealedOver(block: WireBlock, [receipt]: readonly WireReceipt[]): WireBlock {
  const raw = receipt?.raw ?? {}
  const logs = (receipt?.logs ?? []).map(({ address, topics, data }) => [address, [...topics], data])
  const body = ['0x01', raw['cumulativeGasUsed'], raw['logsBloom'], logs, raw['depositNonce'], '0x01']
  const leaf = concatHex(['0x7e', toRlp(body as Parameters<typeof toRlp>[0], 'hex')])
  const receiptsRoot = keccak256(toRlp(['0x2080', leaf], 'hex'))
  const changed = { ...block.raw, receiptsRoot }
  return { ...block, raw: changed, receiptsRoot, hash: headerHash(changed) ?? '' }
}

describe('evm.areProven (W-7)', () => {
  it.each([0, 1, 2, 17, 130, 260])('agrees with a real node on a block of %i transactions', async (count) => {
    const { block, receipts } = await blockOf(count)
    expect(receipts).toHaveLength(count)
    expect(areProven(block, receipts)).toBe(true)
  })

  it('notices an invented, a dropped and a changed log (E20, E21)', async () => {
    const { block, receipts } = await blockOf(3)
    const [first, second, third] = receipts as [WireReceipt, WireReceipt, WireReceipt]
    const invented = { ...first, logs: [...first.logs, ...second.logs] }
    const dropped = { ...first, logs: [] }
    const changed = { ...first, logs: first.logs.map((log) => ({ ...log, data: `0x${'00'.repeat(31)}07` })) }
    for (const forged of [invented, dropped, changed]) {
      expect(() => areProven(block, [forged, second, third])).toThrow('receipts root')
    }
    expect(() => areProven(block, [first, second])).toThrow('receipts root')
    expect(() => areProven(block, [second, first, third])).toThrow('receipts root')
  })

  it('proves nothing when the header does not give the block’s hash', async () => {
    const { block, receipts } = await blockOf(1)
    expect(areProven({ ...block, raw: { ...block.raw, stateRoot: `0x${'11'.repeat(32)}` } }, receipts)).toBe(false)
  })

  it('proves nothing about a kind of receipt that it does not know', async () => {
    const { block, receipts } = await blockOf(1)
    // The second is a deposit transaction of the OP stack from before its Canyon upgrade.
    for (const type of ['0x7d', '0x7e']) {
      const strange = receipts.map((one) => ({ ...one, raw: { ...one.raw, type } }))
      expect(areProven(block, strange)).toBe(false)
    }
  })

  it('knows the two fields more of a deposit transaction of the OP stack', async () => {
    const { block, receipts } = await blockOf(1)
    const fields = { type: '0x7e', depositNonce: '0x3d3bbf', depositReceiptVersion: '0x1' }
    const deposits = receipts.map((one) => ({ ...one, raw: { ...one.raw, ...fields } }))
    const sealed = sealedOver(block, deposits)
    expect(areProven(sealed, deposits)).toBe(true)
    const twice = deposits.map((one) => ({ ...one, logs: [...one.logs, ...one.logs] }))
    expect(() => areProven(sealed, twice)).toThrow('receipts root')
    const renumbered = deposits.map((one) => ({ ...one, raw: { ...one.raw, depositNonce: '0x3d3bc0' } }))
    expect(() => areProven(sealed, renumbered)).toThrow('receipts root')
  })

  it('marks token deposits as proven, and refuses a node that forges one', async () => {
    const { block, receipts } = await blockOf(2)
    const filter = { assets: new Set([7]), matches: (key: Uint8Array) => key[19] === 2 }
    const range = { from: block.height, to: block.height }
    const [facts] = await readBlocks(anvil.session, range, filter)
    expect(facts?.transfers).toMatchObject([{ units: 2n, evidence: 'receipts-root' }])
    const forged = receipts.map(({ raw }) => ({
      ...raw,
      logs: list(raw['logs'], 'logs').map((log) => ({ ...object(log, 'log'), data: `0x${'ff'.repeat(32)}` })),
    }))
    const liar = fakeNode({ eth_getBlockByNumber: () => block.raw, eth_getBlockReceipts: () => forged })
    await expect(readBlocks({ ...anvil.session, node: liar }, range, filter)).rejects.toThrow('receipts root')
  })
})

describe('evm.bloomOf (W-8)', () => {
  it('is the filter in the header of a real node', async () => {
    const { block, receipts } = await blockOf(7)
    expect(toHex(bloomOf(receipts.flatMap(({ logs }) => logs)))).toBe(block.logsBloom)
    expect(toHex(bloomOf(receipts.slice(1).flatMap(({ logs }) => logs)))).not.toBe(block.logsBloom)
    const [first] = receipts
    const bloom = fromHex(block.logsBloom)
    expect(mayHold(bloom, probeOf([SANDBOX_TOKENS.usdc, ...(first?.logs[0]?.topics ?? [])]))).toBe(true)
    expect(mayHold(bloom, probeOf([SANDBOX_TOKENS.usdt]))).toBe(false)
  })
})

describe('evm.encodeRlp', () => {
  it('agrees with viem about any nesting', () => {
    const bytes = fc.uint8Array({ maxLength: 300 })
    const { item } = fc.letrec<{ item: Rlp }>((tie) => ({
      item: fc.oneof({ maxDepth: 3 }, bytes, fc.array(tie('item'), { maxLength: 6 })),
    }))
    fc.assert(
      fc.property(item, (one) => {
        expect(toHex(encodeRlp(one))).toBe(toRlp(one as Uint8Array, 'hex'))
      }),
    )
  })
})

describe('evm.orderedRoot', () => {
  it('is the well-known root of the empty trie', () => {
    expect(orderedRoot([])).toBe('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')
  })

  it('keeps nodes shorter than a hash inside their parent', () => {
    // A branch with two leaves: key 0x80 (index 0) ends in nibble 0 below 8, key 0x01 (index 1) in nibble 1 below 0.
    const empty = (count: number) => '80'.repeat(count)
    const branch = `0xd5${'c23102'}${empty(7)}${'c23001'}${empty(8)}` as const
    expect(orderedRoot([Uint8Array.of(1), Uint8Array.of(2)])).toBe(keccak256(branch))
  })
})
