import { describe, expect, it } from 'vitest'
import type { BlockFacts, Chain, TransferFilter } from '../../../adapter.ts'
import { bitcoinAddresses } from '../../../bitcoin/addresses/addresses.ts'
import { readBlocks } from '../../../bitcoin/blocks/blocks.ts'
import { listWaiting, readWaiting } from '../../../bitcoin/blocks/mempool.ts'
import { readTransactionFacts } from '../../../bitcoin/blocks/transaction.ts'
import { readHeads } from '../../../bitcoin/network/heads.ts'
import { sessionAlone } from '../../../chain.ts'
import { InvalidInput, NodeRejected, RetryableRpcError } from '../../../errors.ts'
import { fakeNode } from '../../fake-node.ts'
import { MUTATIONS } from '../mutations.ts'
import { type Random, randomOf } from '../random.ts'
import { blockOf, type Draft, type ForgedBlock, idOf, REPLACEABLE } from './blocks.ts'
import {
  type BitcoinFake,
  bitcoinFakes,
  chain,
  isOurs,
  legacyPayment,
  mainChain,
  OURS,
  payment,
  strangers,
} from './transactions.ts'

const filter: TransferFilter = { assets: new Set(chain.assets.map(({ id }) => id)), matches: isOurs }
const BEFORE = '0b'.repeat(32)
const HEIGHT = 800_000
const NOT_FOUND = -5

/** What a node knows: its branch from `HEIGHT` on, and its mempool. */
type Known = { readonly blocks: readonly ForgedBlock[]; readonly waiting?: readonly Buffer[] }

function sessionOf({ blocks, waiting = [] }: Known, on: Chain = chain) {
  const pool = new Map(waiting.map((raw) => [idOf(raw), raw]))
  const mined = new Map(
    blocks.flatMap((block) => block.transactions.map((raw) => [idOf(raw), { raw, block }] as const)),
  )
  const missing = () => {
    throw new NodeRejected('No such thing', NOT_FOUND)
  }
  const named = (hash: string) => blocks.find((one) => one.hash === hash) ?? missing()
  const node = fakeNode({
    getblockhash: (height: number) => (height === 0 ? BEFORE : (blocks[height - HEIGHT] ?? missing()).hash),
    getblock: (hash: string) => named(hash).hex,
    getblockheader: (hash: string, isRead: boolean) =>
      isRead ? { height: HEIGHT + blocks.indexOf(named(hash)) } : named(hash).hex.slice(0, 160),
    getrawmempool: () => [...pool.keys()],
    getrawtransaction: (txId: string, isRead: boolean) => {
      const found = mined.get(txId)
      const raw = pool.get(txId) ?? found?.raw ?? missing()
      const place = found && { blockhash: found.block.hash, confirmations: 1 }
      return isRead ? { hex: raw.toString('hex'), ...place } : raw.toString('hex')
    },
  })
  return sessionAlone(on, node)
}

function forgeBlock(random: Random, parent: string, transactions: readonly Buffer[]): ForgedBlock {
  const [coinbase, other] = strangers(random)
  return blockOf(random, parent, [coinbase, ...random.shuffle([other, ...transactions])])
}

const readAll = (known: Known) =>
  readBlocks(sessionOf(known), { from: HEIGHT, to: HEIGHT + known.blocks.length + 2 }, filter)
const arrivedIn = (facts: readonly BlockFacts[]) =>
  facts.flatMap(({ transfers }) => transfers.filter(({ to }) => to === OURS))
const unitsIn = async (known: Known) => arrivedIn(await readAll(known)).map(({ units }) => units)

async function mutations(one: (random: Random) => Promise<void>): Promise<void> {
  for (let seed = 0; seed < MUTATIONS; seed += 1) await one(randomOf(seed))
}

describe('fake deposits on Bitcoin', () => {
  it.each(Object.entries(bitcoinFakes))('%s brings nothing but what truly arrived', async (_, forge) => {
    await mutations(async (random) => {
      const { raw, owed, minConfirmations } = forge(random)
      const [coinbase, other] = strangers(random)
      const isCoinbase = minConfirmations !== undefined
      const block = blockOf(random, BEFORE, isCoinbase ? [raw, other] : [coinbase, ...random.shuffle([raw, other])])
      const found = arrivedIn(await readAll({ blocks: [block] }))
      expect(found.map(({ units }) => units)).toEqual(owed)
      expect(found.every((one) => one.minConfirmations === minConfirmations)).toBe(true)
    })
  })

  it('B1 is nothing but waiting while it may be replaced, and unknown once it was', () =>
    expectUnknownInTheEnd({ input: { sequence: REPLACEABLE } }))

  it('B2 is replaced without an announcement', () => expectUnknownInTheEnd({ input: { sequence: 0xffffffff } }))

  it('B15 waits for a time that has not come, whatever node relays it', () =>
    expectUnknownInTheEnd({ lockTime: 2_000_000_000, input: { sequence: REPLACEABLE } }))

  it('B3 is evicted with the transactions that it builds on', async () => {
    await mutations(async (random) => {
      const chainOf = Array.from({ length: 2 + random.below(20) }, () => payment(random))
      const last = chainOf.at(-1)
      if (!last) throw new Error('The chain is empty')
      const blocks = [forgeBlock(random, BEFORE, [])]
      await expectOnlyWaiting({ blocks, waiting: chainOf.map(({ raw }) => raw) }, last.raw, last.owed)
      const left = { blocks, waiting: chainOf.slice(0, random.below(chainOf.length - 1)).map(({ raw }) => raw) }
      expect(await waitingIn(left, [idOf(last.raw)])).toEqual([])
      expect(await stateOf(left, last.raw)).toEqual('unknown')
    })
  })

  it('B9 a node of another network is not read, and its addresses are none of this one', async () => {
    await mutations(async (random) => {
      const genesis = random.hex(32).slice(2)
      const session = sessionAlone(chain, fakeNode({ getblockhash: () => genesis }))
      await expect(readHeads(session)).rejects.toThrow('another network')
      const script = Buffer.from(random.hex(20).slice(2), 'hex')
      const elsewhere = { ...chain, mode: random.pick(['mainnet', 'sandbox'] as const) }
      const address = bitcoinAddresses.format(elsewhere, Uint8Array.of(0, 20, ...script))
      expect(() => bitcoinAddresses.parse(chain, address)).toThrow(InvalidInput)
    })
  })

  it('B10 a node that turns to another branch while it is read gives blocks of one branch', async () => {
    await mutations(async (random) => {
      const [one, other] = [payment(random), payment(random)]
      const first = forgeBlock(random, BEFORE, [one.raw])
      const stranger = forgeBlock(random, random.hex(32).slice(2), [other.raw])
      expect(await unitsIn({ blocks: [first, stranger] })).toEqual(one.owed)
    })
  })

  it('B11 what is mined again in another block, and B13 what is seen in all places, is the same output', async () => {
    await mutations(async (random) => {
      const { raw, owed } = payment(random)
      const nameOf = ({ txId, leg, units }: { txId: string; leg: string; units: bigint }) => [txId, leg, units]
      const [before, after] = [forgeBlock(random, BEFORE, [raw]), forgeBlock(random, BEFORE, [raw])]
      const [mined, again] = [
        arrivedIn(await readAll({ blocks: [before] })),
        arrivedIn(await readAll({ blocks: [after] })),
      ]
      expect(mined.map(({ units }) => units)).toEqual(owed)
      expect(again.map(nameOf)).toEqual(mined.map(nameOf))
      expect(again[0]?.block.hash).not.toBe(mined[0]?.block.hash)
      const waiting = await waitingIn({ blocks: [], waiting: [raw] }, [idOf(raw)])
      expect(waiting.map(nameOf)).toEqual(mined.map(nameOf))
      const facts = await readTransactionFacts(sessionOf({ blocks: [before] }), idOf(raw))
      const rescanned = facts.state === 'included' ? facts.transfers.filter(({ to }) => to === OURS) : []
      expect(rescanned.map(nameOf)).toEqual(mined.map(nameOf))
    })
  })

  it('B12 a payment that was spelled anew counts once, under the id of the bytes that were mined', async () => {
    await mutations(async (random) => {
      const { sent, spelledAnew } = legacyPayment(random)
      const known = { blocks: [forgeBlock(random, BEFORE, [spelledAnew.raw])] }
      const found = arrivedIn(await readAll(known))
      expect(found.map(({ txId, units }) => [txId, units])).toEqual([[idOf(spelledAnew.raw), spelledAnew.owed[0]]])
      expect(await stateOf(known, sent.raw)).toEqual('unknown')
      const lying = fakeNode({
        getblockhash: () => BEFORE,
        getrawtransaction: () => ({ hex: spelledAnew.raw.toString('hex') }),
      })
      await expect(readTransactionFacts(sessionAlone(chain, lying), idOf(sent.raw))).rejects.toThrow(RetryableRpcError)
    })
  })

  it('B16 a block that no miner worked on is not read on the main network', async () => {
    await mutations(async (random) => {
      const { raw } = payment(random)
      const [coinbase, other] = strangers(random)
      for (const bits of STATED) {
        const parent = blockOf(random, BEFORE, [coinbase], { bits })
        const forged = blockOf(random, parent.hash, [coinbase, other, raw], { bits, attempts: 64 })
        const session = sessionOf({ blocks: [parent, forged] }, mainChain)
        const range = { from: HEIGHT + 1, to: HEIGHT + 1 }
        for (const wanted of [filter, { ...filter, assets: new Set<number>() }]) {
          await expect(readBlocks(session, range, wanted)).rejects.toThrow('without the work of miners')
        }
        await expect(readTransactionFacts(session, idOf(raw))).rejects.toThrow('without the work of miners')
      }
    })
  })

  it('B17 a block that states an easier target than its parent leads to is not read on the main network', async () => {
    await mutations(async (random) => {
      const { raw } = payment(random)
      const [coinbase, other] = strangers(random)
      const [own, ...easier] = STATED
      const parent = blockOf(random, BEFORE, [coinbase], { bits: own })
      for (const bits of [...easier, own + 1, own - 1]) {
        const forged = blockOf(random, parent.hash, [coinbase, other, raw], { bits })
        const session = sessionOf({ blocks: [parent, forged] }, mainChain)
        const range = { from: HEIGHT + 1, to: HEIGHT + 1 }
        for (const wanted of [filter, { ...filter, assets: new Set<number>() }]) {
          await expect(readBlocks(session, range, wanted)).rejects.toThrow('another target than its parent leads to')
        }
      }
      // A node that shows another parent than the header names.
      const forged = blockOf(random, parent.hash, [coinbase, other, raw], { bits: own })
      const lying = fakeNode({
        getblockhash: () => forged.hash,
        getblock: () => forged.hex,
        getblockheader: () => forged.hex.slice(0, 160),
      })
      const asked = readBlocks(sessionAlone(mainChain, lying), { from: HEIGHT, to: HEIGHT }, filter)
      await expect(asked).rejects.toThrow('malformed header')
    })
  })
})

/** Targets that a forged header may state: hard ones that it misses, and such as anybody reaches or no network has. */
const STATED = [0x17032f14, 0x1d00ffff, 0x207fffff, 0x2100ffff, 0x04923456, 0x01003456, 0] as const

/** A payment waits, and brings nothing; then another transaction spends its coin. */
async function expectUnknownInTheEnd(draft: Partial<Draft>): Promise<void> {
  await mutations(async (random) => {
    const { raw, owed } = payment(random, draft)
    const blocks = [forgeBlock(random, BEFORE, [])]
    await expectOnlyWaiting({ blocks, waiting: [raw] }, raw, owed)
    expect(await stateOf({ blocks: [forgeBlock(random, BEFORE, [])] }, raw)).toEqual('unknown')
  })
}

async function waitingIn(known: Known, txIds: readonly string[]) {
  return (await readWaiting(sessionOf(known), txIds, filter)).flatMap(({ transfers }) =>
    transfers.filter(({ to }) => to === OURS),
  )
}

async function stateOf(known: Known, raw: Buffer): Promise<string> {
  return (await readTransactionFacts(sessionOf(known), idOf(raw))).state
}

async function expectOnlyWaiting(known: Known, raw: Buffer, owed: BitcoinFake['owed']): Promise<void> {
  expect(await listWaiting(sessionOf(known))).toContain(idOf(raw))
  expect((await waitingIn(known, [idOf(raw)])).map(({ units }) => units)).toEqual(owed)
  expect(await stateOf(known, raw)).toBe('pending')
  expect(await unitsIn(known)).toEqual([])
}
