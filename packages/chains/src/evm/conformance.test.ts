import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { encodeFunctionData, erc20Abi, type Hex, pad, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BlockFacts, Transfer, TransferFilter } from '../adapter.ts'
import { type AnvilChain, openAnvilChain, probeData } from '../testing/anvil-chain.ts'
import { mined } from '../testing/mined.ts'
import { evmAdapter } from './adapter.ts'
import { checksumAddress } from '@kassa/keys/address-text.ts'
import { fromHex } from './encoding/hex.ts'
import { HEAD_SPAN } from './blocks/blocks.ts'
import { TRANSFER_TOPIC } from './blocks/transfers.ts'

const { reader } = evmAdapter
const { usdc, usdt, lookAlikeUsdc } = SANDBOX_TOKENS
const [ETH, USDC, USDT] = [1, 7, 11]
const ours: Hex = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'
const alsoOurs: Hex = '0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0'
const stranger: Hex = '0x00000000000000000000000000000000000000f1'
const ourKeys = new Set([ours, alsoOurs].map((address) => address.toLowerCase()))
const filter: TransferFilter = {
  assets: new Set([ETH, USDC, USDT]),
  matches: (key) => ourKeys.has(`0x${Buffer.from(key).toString('hex')}`),
}

let anvil: AnvilChain
let start = 0

beforeAll(async () => {
  anvil = await openAnvilChain()
}, 30_000)
afterAll(() => anvil.stop())
beforeEach(async () => {
  start = (await anvil.height()) + 1
})

const read = async (span?: number): Promise<BlockFacts[]> =>
  reader.blocks(anvil.session, { from: start, to: span ? start + span - 1 : await anvil.height() }, filter)
const found = async (span?: number): Promise<Transfer[]> => (await read(span)).flatMap(({ transfers }) => transfers)
const moves = (units: bigint, to: Hex = ours) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, units] })
const topics = (from: Hex, to: Hex): Hex[] => [TRANSFER_TOPIC, pad(from), pad(to)]
const statusOf = async (txId: string) => (await mined(anvil.node, txId)).status
const log = (all: Hex[], data: Hex = pad(toHex(5n))) => probeData('emitLog', [all, data])

describe('evm.reader finds real transfers', () => {
  it('a native transfer, with its exact units', async () => {
    const txId = await anvil.send({ to: ours, value: 123_456_789_012_345_678n })
    expect(await found()).toMatchObject([
      {
        kind: 'native',
        assetId: ETH,
        senders: [checksumAddress(fromHex(anvil.payer))],
        to: ours,
        units: 123_456_789_012_345_678n,
        txId,
        leg: 'value',
      },
    ])
  })

  it('an ERC-20 transfer, by its log', async () => {
    const txId = await anvil.transfer(usdc, ours, 49_000_000n)
    expect(await found()).toMatchObject([
      { kind: 'token', assetId: USDC, to: ours, units: 49_000_000n, txId, leg: 'log:0' },
    ])
  })

  it('a transfer of a token whose transfer returns nothing', async () => {
    await anvil.transfer(usdt, ours, 7n)
    expect(await found()).toMatchObject([{ kind: 'token', assetId: USDT, units: 7n }])
  })

  it('many legs in one transaction, each once and in order (E31)', async () => {
    await anvil.transfer(usdc, anvil.probe, 6n)
    start = (await anvil.height()) + 1
    await anvil.probeCalls(
      [
        { target: usdc, data: moves(1n) },
        { target: usdc, data: moves(2n, stranger) },
        { target: usdc, data: moves(3n, alsoOurs) },
        { target: ours, value: 4n },
      ],
      4n,
    )
    expect((await found()).map(({ leg, to, units }) => [leg, to, units])).toEqual([
      ['log:0', ours, 1n],
      ['log:2', alsoOurs, 3n],
      [`internal:${ours.toLowerCase()}:0`, ours, 4n],
    ])
  })

  it('a value that comes with data once, although the trace repeats it (E16)', async () => {
    await anvil.send({ to: ours, value: 5n, data: '0x01' })
    expect(await found()).toMatchObject([{ kind: 'native', units: 5n, leg: 'value' }])
  })

  it('value that leaves a contract by SELFDESTRUCT (E17)', async () => {
    await anvil.send({ to: anvil.probe, value: 9n, data: probeData('leaveTo', [ours]) })
    expect(await found()).toMatchObject([{ kind: 'internal', units: 9n, to: ours, evidence: 'trace' }])
  })
})

describe('evm.reader shows both sides of', () => {
  it('a transfer between two of our own addresses, which is no deposit (E8)', async () => {
    await anvil.send({ to: ours, value: 10n ** 18n })
    await anvil.transfer(usdc, ours, 10n)
    start = (await anvil.height()) + 1
    await anvil.send({ from: ours, to: alsoOurs, value: 5n })
    await anvil.transfer(usdc, alsoOurs, 5n, ours)
    await anvil.send({ from: ours, to: ours, value: 5n })
    await anvil.transfer(usdc, anvil.payer, 5n, ours)
    const moved = (await found()).map(({ senders, to, kind }) => [senders.join(), to, kind])
    expect(moved).toEqual([
      [ours, alsoOurs, 'native'],
      [ours, alsoOurs, 'token'],
      [ours, ours, 'native'],
      [ours, checksumAddress(fromHex(anvil.payer)), 'token'],
    ])
  })
})

describe('evm.reader credits nothing for', () => {
  const nothing = async () => {
    expect(await anvil.height()).toBeGreaterThanOrEqual(start)
    expect(await found()).toEqual([])
    expect(await found(HEAD_SPAN + 4)).toEqual([])
  }

  it('a transfer that returns false and moves nothing (E1)', async () => {
    await anvil.transfer(anvil.probe, ours, 5n)
    await nothing()
  })

  it('a reverted transaction with a fine value and input (E2)', async () => {
    await anvil.call('anvil_setBalance', stranger, toHex(10n ** 18n))
    expect(await statusOf(await anvil.transfer(usdc, ours, 5n, stranger))).toBe('0x0')
    // PUSH0 PUSH0 REVERT
    await anvil.call('anvil_setCode', alsoOurs, '0x5f5ffd')
    expect(await statusOf(await anvil.send({ to: alsoOurs, value: 5n }))).toBe('0x0')
    await anvil.call('anvil_setCode', alsoOurs, '0x')
    await nothing()
  })

  it('an inner call with value that was undone while the transaction succeeded (E3)', async () => {
    const data = probeData('forwardAndRevert', [ours])
    await anvil.probeCalls([{ target: anvil.probe, value: 5n, data, mayFail: true }], 5n)
    await nothing()
  })

  it('a look-alike token with the same name, symbol and decimals (E4)', async () => {
    await anvil.transfer(lookAlikeUsdc, ours, 5n)
    await nothing()
  })

  it('a Transfer log that a stranger contract writes (E5)', async () => {
    await anvil.probeCalls([{ target: anvil.probe, data: log(topics(stranger, ours)) }])
    await nothing()
  })

  it('a Transfer with four topics, as ERC-721 writes it (E6)', async () => {
    const four = [...topics(stranger, ours), pad(toHex(1n))]
    await asToken([log(four, '0x'), log(four)])
    await nothing()
  })

  it('transfers of zero units, token and native (E7)', async () => {
    await anvil.transfer(usdc, ours, 0n)
    await anvil.send({ to: ours, value: 0n })
    await nothing()
  })

  it('logs with data of another length or dirty address topics (E13)', async () => {
    const dirty: Hex = `0x01${pad(ours).slice(4)}`
    await asToken([
      log(topics(stranger, ours), '0x05'),
      log(topics(stranger, ours), `0x${'00'.repeat(31)}05${'00'.repeat(32)}`),
      log([TRANSFER_TOPIC, pad(stranger), dirty]),
      log([TRANSFER_TOPIC, dirty, pad(ours)]),
      log([TRANSFER_TOPIC, pad(stranger)]),
    ])
    await nothing()
  })

  it('a token whose units are those of another precision: the listed contract alone decides (E33)', async () => {
    await anvil.transfer(lookAlikeUsdc, ours, 10n ** 18n)
    await nothing()
  })
})

describe('evm.reader reads amounts up to 2^256−1', () => {
  it('exactly (E13)', async () => {
    await asToken([log(topics(stranger, ours), `0x${'ff'.repeat(32)}`)])
    expect(await found()).toMatchObject([{ kind: 'token', units: 2n ** 256n - 1n, leg: 'log:0' }])
  })
})

describe('evm.reader.blocks', () => {
  it('gives blocks ascending and contiguous, and fewer when the chain ends', async () => {
    await anvil.mine(5)
    const blocks = await read(9)
    expect(blocks.map(({ block }) => block.height)).toEqual([0, 1, 2, 3, 4].map((at) => start + at))
    blocks.slice(1).forEach(({ block }, at) => expect(block.parentHash).toBe(blocks[at]?.block.hash))
  })

  it('gives none when the first block is not mined yet', async () => {
    start += 1
    expect(await read(3)).toEqual([])
  })

  it('finds the same by logs over a long range as by receipts near the head', async () => {
    await anvil.transfer(usdc, ours, 1n)
    await anvil.send({ to: ours, value: 2n })
    await anvil.probeCalls([{ target: alsoOurs, value: 3n }], 3n)
    await anvil.mine(10)
    const atHead = await found(3)
    expect(atHead).toHaveLength(3)
    expect(atHead.map(({ evidence }) => evidence)).toEqual(['receipts-root', 'receipt', 'trace'])
    const caughtUp = await found(HEAD_SPAN + 4)
    expect(caughtUp.map(({ evidence }) => evidence)).toEqual(['receipt', 'receipt', 'trace'])
    const facts = (transfer: Transfer) => ({ ...transfer, evidence: undefined })
    expect(caughtUp.map(facts)).toEqual(atHead.map(facts))
  })

  it('reads only the blocks themselves when nothing is wanted', async () => {
    await anvil.send({ to: ours, value: 2n })
    const blocks = await reader.blocks(
      anvil.session,
      { from: start, to: start },
      { assets: new Set(), matches: () => true },
    )
    expect(blocks).toMatchObject([{ block: { height: start }, transfers: [] }])
  })

  it('shows a reorganisation by other hashes at the same heights', async () => {
    await anvil.mine(3)
    const before = await read()
    await anvil.call('anvil_reorg', 2, [])
    const after = await read()
    expect(after.map(({ block }) => block.height)).toEqual(before.map(({ block }) => block.height))
    expect(after[0]).toEqual(before[0])
    expect(after[1]?.block.hash).not.toBe(before[1]?.block.hash)
    expect(after[2]?.block.parentHash).toBe(after[1]?.block.hash)
  })
})

describe('evm.reader.transaction', () => {
  const facts = (txId: string) => reader.transaction(anvil.session, txId)

  it('knows an included one with its transfers to anybody', async () => {
    const txId = await anvil.transfer(usdc, stranger, 5n)
    expect(await facts(txId)).toMatchObject({
      state: 'included',
      block: { height: start },
      transfers: [{ assetId: USDC, units: 5n, leg: 'log:0' }],
    })
  })

  it('knows a failed one', async () => {
    expect(await facts(await anvil.send({ to: anvil.probe, data: '0xdeadbeef' }))).toMatchObject({ state: 'failed' })
  })

  it('tells pending from unknown', async () => {
    await anvil.call('evm_setAutomine', false)
    const txId = await anvil.submit({ to: ours, value: 1n })
    expect(await facts(txId)).toEqual({ state: 'pending' })
    await anvil.call('evm_setAutomine', true)
    await anvil.mine()
    expect(await facts(`0x${'12'.repeat(32)}`)).toEqual({ state: 'unknown' })
  })
})

describe('evm.reader.balances', () => {
  it('reads native and token balances at one block, in the order asked', async () => {
    const fresh: Hex = '0x00000000000000000000000000000000000000f7'
    await anvil.transfer(usdc, fresh, 11n)
    const [facts] = await reader.blocks(anvil.session, { from: start, to: start }, filter)
    await anvil.send({ to: fresh, value: 13n })
    const asks = [USDC, ETH, USDT].map((assetId) => ({ assetId, address: fresh }))
    expect((await evmAdapter.balances.read(anvil.session, asks)).map(({ units }) => units)).toEqual([11n, 13n, 0n])
    expect((await evmAdapter.balances.read(anvil.session, asks, facts?.block)).map(({ units }) => units)).toEqual([
      11n,
      0n,
      0n,
    ])
  })
})

describe('evm.reader.identify and heads', () => {
  it('recognises the sandbox chain and its optional features', async () => {
    const identity = await reader.identify(anvil.session)
    expect(identity).toMatchObject({ isExpected: true, client: 'anvil/v1.7.1' })
    expect(identity.chainIdentifier).toMatch(/^31337:0x[0-9a-f]{64}$/)
    expect(identity.completeness).toBe(1)
    expect(await evmAdapter.traces.isTracing(anvil.session)).toBe(true)
  })

  it('leaves the finality tags of a local chain out', async () => {
    const heads = await reader.heads(anvil.session)
    expect(heads).toEqual({ latest: expect.objectContaining({ height: start - 1 }) })
  })

  it('refuses a node of another network (E22)', async () => {
    const other = {
      ...anvil.session,
      chain: { ...anvil.session.chain, network: { ...anvil.session.chain.network, chainId: 1 } },
    }
    expect(await reader.identify(other)).toMatchObject({ isExpected: false })
    await expect(reader.heads(other)).rejects.toThrow('serves chain 31337')
  })
})

/** Lets the listed USDC contract itself write odd logs, by giving its address the probe's code for a moment. */
async function asToken(logs: Hex[]): Promise<void> {
  const code = await anvil.call('eth_getCode', usdc, 'latest')
  await anvil.call('anvil_setCode', usdc, await anvil.call('eth_getCode', anvil.probe, 'latest'))
  await anvil.probeCalls(logs.map((data) => ({ target: usdc, data })))
  await anvil.call('anvil_setCode', usdc, code)
}
