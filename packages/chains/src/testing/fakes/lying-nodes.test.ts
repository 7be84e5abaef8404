import { sessionAlone } from '../../chain.ts'
import { describe, expect, it } from 'vitest'
import type { BlockFacts, ChainSession } from '../../adapter.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import { evmAdapter } from '../../evm/adapter.ts'
import { bloomOf } from '../../evm/encoding/bloom.ts'
import { HEAD_SPAN } from '../../evm/blocks/blocks.ts'
import { toHex, toQuantity } from '../../evm/encoding/hex.ts'
import type { Json, WireLog } from '../../evm/encoding/wire.ts'
import { chainOf } from '../anvil-chain.ts'
import { type FakeAnswers, fakeNode } from '../fake-node.ts'
import { MUTATIONS } from './mutations.ts'
import { randomOf } from './random.ts'
import { type ForgedBlock, type ForgedTx, forgeBlock } from './forged.ts'
import { honestAnswers } from './forged-node.ts'
import { BEFORE, creditOf, owedIn, readRange } from './reading.ts'
import { noiseLog, transferLog, trueTransfer, type World, worldOf } from './world.ts'

const parent = { height: BEFORE, hash: `0x${'0b'.repeat(32)}` }
const HEIGHT = BEFORE + 1
/** Long enough that the reader goes by logs. */
const FAR = HEIGHT + HEAD_SPAN + 4

const worlds = (['ETH', 'BASE', 'POLYGON'] as const).map((code, at) =>
  worldOf(chainOf(code, 'mainnet'), randomOf(at + 1)),
)
const [eth, base, polygon] = worlds as [World, World, World]

/** Runs all mutations, over the chains by turns. */
async function mutations(over: readonly World[], one: (world: World, at: number) => Promise<void>): Promise<void> {
  for (let at = 0; at < MUTATIONS; at += 1) {
    const world = over[at % over.length]
    if (world) await one(world, at)
  }
}

const tokenTx = (world: World): ForgedTx => {
  const { random, ours, tokens } = world
  const [token, to, units] = [random.pick(tokens), random.pick(ours), random.units()]
  const logs = [noiseLog(world), transferLog(token.address, random.hex(20), to, units)]
  return { hash: random.hex(32), to: token.address, logs, owed: [{ assetId: token.assetId, to, units, leg: 'log:1' }] }
}
const blockOf = (world: World, txs: readonly ForgedTx[], on = parent): ForgedBlock => forgeBlock(world.random, on, txs)
const sessionOf = ({ chain }: World, answers: FakeAnswers): ChainSession => sessionAlone(chain, fakeNode(answers))
const read = (world: World, answers: FakeAnswers, to = HEIGHT) => readRange(world, fakeNode(answers), HEIGHT, to)
const credits = (facts: readonly BlockFacts[]) => facts.flatMap(({ transfers }) => transfers.map(creditOf)).toSorted()

const readInParts = async (world: World, answers: FakeAnswers): Promise<BlockFacts[]> => {
  const found = await evmAdapter.partial.read(sessionOf(world, answers), HEIGHT, world.filter)
  return found ? [found] : []
}

/** The node is found out, or its lie changes nothing. */
async function isFoundOut(reading: Promise<unknown>): Promise<boolean> {
  try {
    await reading
    return false
  } catch (error) {
    if (error instanceof RetryableRpcError || error instanceof NodeRejected) return true
    throw error
  }
}

/** The logs of a receipt in another form, numbered anew so that only their content lies. */
function withLogs(receipt: Json, change: (logs: readonly WireLog[]) => readonly WireLog[]): Json {
  const old = receipt['logs'] as readonly (WireLog & Json)[]
  const first = Number(old[0]?.['logIndex'] ?? 0)
  const logs = change(old).map((log, at) => ({ ...old[0], ...log, logIndex: toQuantity(first + at) }))
  return { ...receipt, logs, logsBloom: toHex(bloomOf(logs)) }
}

function showTwice(logs: readonly WireLog[]): readonly WireLog[] {
  return [...logs, ...logs.slice(-1)]
}

function knownByHash(blocks: readonly ForgedBlock[]): FakeAnswers {
  const { eth_getBlockReceipts, eth_getTransactionReceipt, debug_traceBlockByHash } = honestAnswers(blocks)
  return { eth_getBlockReceipts, eth_getTransactionReceipt, debug_traceBlockByHash }
}

describe('fakes of lying nodes', () => {
  it('E18: receipts of a branch that is not canonical are refused', async () => {
    await mutations(worlds, async (world) => {
      const { random } = world
      const txs = [trueTransfer(world), tokenTx(world)].map((tx) => ({ hash: random.hex(32), ...tx }))
      const [ours, theirs] = [blockOf(world, txs), blockOf(world, txs)]
      const unlisted = random.chance(0.5) ? theirs.receipts : [ours.receipts[0], theirs.receipts[1]]
      const single = (hash: string) => theirs.receipts.find((one) => one['transactionHash'] === hash)
      const lies = { eth_getBlockReceipts: () => unlisted, eth_getTransactionReceipt: single }
      const answers = { ...honestAnswers([ours]), ...lies }
      expect(await isFoundOut(read(world, answers))).toBe(true)
      expect(await isFoundOut(read(world, answers, FAR))).toBe(true)
      expect(await isFoundOut(evmAdapter.reader.transaction(sessionOf(world, answers), txs[1]?.hash ?? ''))).toBe(true)
    })
  })

  it('E19: a transaction mined again is the same one, with the amount of its own block', async () => {
    await mutations(worlds, async (world) => {
      const { random } = world
      const first = tokenTx(world)
      const again = random.chance(0.5) ? first : { ...tokenTx(world), hash: first.hash }
      const before = blockOf(world, [first])
      const after = blockOf(world, [
        ...Array.from({ length: random.below(4) }, () => ({ logs: [noiseLog(world)] })),
        again,
      ])
      const seen = credits(await read(world, honestAnswers([before])))
      const seenAgain = credits(await read(world, honestAnswers([after])))
      expect(seen).toEqual(owedIn([before]))
      expect(seenAgain).toEqual(owedIn([after]))
      const place = (credit: string | undefined) => credit?.split(' ').slice(0, 2)
      expect(place(seenAgain[0])).toEqual(place(seen[0]))
    })
  })

  it('E20: an invented log is refused near the head', async () => {
    await mutations(worlds, async (world) => {
      const { random, ours, tokens } = world
      const block = blockOf(world, [tokenTx(world), { logs: [noiseLog(world)] }])
      const invented = transferLog(random.pick(tokens).address, random.hex(20), random.pick(ours), random.units())
      const at = random.below(2)
      const forged = block.receipts.map((receipt, i) =>
        i === at ? withLogs(receipt, (logs) => random.shuffle([...logs, invented])) : receipt,
      )
      const renumbered = renumber(forged)
      expect(await isFoundOut(read(world, { ...honestAnswers([block]), eth_getBlockReceipts: () => renumbered }))).toBe(
        true,
      )
    })
  })

  it('E20: where the receipts root proves it, neither is a log whose amount alone was changed', async () => {
    await mutations([eth, base], async (world) => {
      const block = blockOf(world, [tokenTx(world)])
      const more = block.receipts.map((receipt) =>
        withLogs(receipt, (logs) => logs.map((log) => ({ ...log, data: world.random.hex(32) }))),
      )
      expect(await isFoundOut(read(world, { ...honestAnswers([block]), eth_getBlockReceipts: () => more }))).toBe(true)
    })
  })

  it('E20: where the receipts root proves it, neither is a true log that the node shows twice', async () => {
    await mutations([eth, base], async (world) => {
      const block = blockOf(world, [{ logs: [noiseLog(world)] }, tokenTx(world)])
      const twice = block.receipts.map((one, at) => (at === 1 ? withLogs(one, showTwice) : one))
      expect(await isFoundOut(read(world, { ...honestAnswers([block]), eth_getBlockReceipts: () => twice }))).toBe(true)
    })
  })

  it('E20: elsewhere a log shown twice is refused when it takes the number of another', async () => {
    await mutations([polygon], async (world) => {
      const block = blockOf(world, [tokenTx(world), tokenTx(world)])
      const twice = block.receipts.map((one) => withLogs(one, showTwice))
      expect(await isFoundOut(read(world, { ...honestAnswers([block]), eth_getBlockReceipts: () => twice }))).toBe(true)
    })
  })

  it('E20: neither is an invented log believed when the block is read transaction by transaction', async () => {
    await mutations(worlds, async (world) => {
      const { random, ours, tokens } = world
      const block = blockOf(world, [tokenTx(world), { logs: [noiseLog(world)] }])
      const honest = honestAnswers([block])
      expect(credits(await readInParts(world, honest))).toEqual(owedIn([block]))
      const invented = transferLog(random.pick(tokens).address, random.hex(20), random.pick(ours), random.units())
      const lie = block.receipts.map((one, at) => (at === 1 ? withLogs(one, (logs) => [...logs, invented]) : one))
      const single = (hash: string) => lie.find((one) => one['transactionHash'] === hash) ?? null
      const credited = credits(await readInParts(world, { ...honest, eth_getTransactionReceipt: single }))
      // Where the root covers all receipts, one false receipt discredits them all.
      expect(credited).toEqual(world === polygon ? owedIn([block]) : [])
    })
  })

  it('E21: a missing log or receipt is noticed near the head, and found again over a long range', async () => {
    await mutations(worlds, async (world) => {
      const { random } = world
      const block = blockOf(world, [tokenTx(world), tokenTx(world)])
      const at = random.below(2)
      const dropped = random.chance(0.5)
        ? block.receipts.filter((_, i) => i !== at)
        : renumber(block.receipts.map((one, i) => (i === at ? withLogs(one, (logs) => logs.slice(0, 1)) : one)))
      const honest = honestAnswers([block])
      expect(await isFoundOut(read(world, { ...honest, eth_getBlockReceipts: () => dropped }))).toBe(true)
      const byHash: typeof honest.eth_getLogs = (filter) => (filter.blockHash ? honest.eth_getLogs(filter) : [])
      expect(credits(await read(world, { ...honest, eth_getLogs: byHash }, FAR))).toEqual(owedIn([block]))
    })
  })

  it('E21: logs that the node shows neither by range nor by hash are found in the receipts, or it is found out', async () => {
    await mutations(worlds, async (world) => {
      const block = blockOf(world, [tokenTx(world), { logs: [noiseLog(world)] }])
      const silent = { ...honestAnswers([block]), eth_getLogs: () => [] }
      expect(credits(await read(world, silent, FAR))).toEqual(owedIn([block]))
      const bare = renumber(block.receipts.map((one) => withLogs(one, () => [])))
      expect(await isFoundOut(read(world, { ...silent, eth_getBlockReceipts: () => bare }, FAR))).toBe(true)
    })
  })

  it('E21: a receipt that says over a long range that a transaction failed, or had no log, loses nothing', async () => {
    await mutations([eth, base], async (world) => {
      const { random } = world
      const block = blockOf(world, [tokenTx(world), trueTransfer(world), { logs: [noiseLog(world)] }])
      const lie = random.chance(0.5) ? { status: '0x0', logs: [] } : { logs: [] }
      const honest = honestAnswers([block])
      const single = (hash: string) => {
        const receipt = honest.eth_getTransactionReceipt(hash)
        const isSilenced = receipt && (lie.status === '0x0' || (receipt['logs'] as unknown[]).length > 0)
        return isSilenced ? { ...receipt, ...lie } : receipt
      }
      const lies = { ...honest, eth_getTransactionReceipt: single }
      expect(credits(await read(world, lies, FAR))).toEqual(owedIn([block]))
      const forged = renumber(block.receipts.map((one) => ({ ...one, ...lie })))
      expect(await isFoundOut(read(world, { ...lies, eth_getBlockReceipts: () => forged }, FAR))).toBe(true)
    })
  })

  it('E21: neither does one that lacks a log of the same node, which does not show all receipts of a block', async () => {
    await mutations(worlds, async (world) => {
      const block = blockOf(world, [tokenTx(world)])
      const { eth_getBlockReceipts: _, ...honest } = honestAnswers([block])
      const bare = (hash: string) => ({ ...honest.eth_getTransactionReceipt(hash), status: '0x0', logs: [] })
      expect(await isFoundOut(read(world, { ...honest, eth_getTransactionReceipt: bare }, FAR))).toBe(true)
      expect(credits(await read(world, honest, FAR))).toEqual(owedIn([block]))
    })
  })

  it('E21: so is the missing receipt of a transaction without logs', async () => {
    await mutations(worlds, async (world) => {
      const { random, ours, nativeId } = world
      const [to, units] = [random.pick(ours), random.units()]
      const plain = { to, value: units, owed: [{ assetId: nativeId, to, units, leg: 'value' }] }
      const block = blockOf(world, random.shuffle([tokenTx(world), plain]))
      const lists = { eth_getBlockReceipts: () => block.receipts.filter(({ logs }) => (logs as unknown[]).length > 0) }
      expect(await isFoundOut(read(world, { ...honestAnswers([block]), ...lists }))).toBe(true)
    })
  })

  it('E22: a node of another chain, or that answers for another block, is refused', async () => {
    await mutations(worlds, async (world) => {
      const { random, chain } = world
      const block = blockOf(world, [tokenTx(world)])
      const honest = honestAnswers([block])
      const chainId = 2 + random.below(1_000_000)
      if (chainId === chain.network.chainId) return
      const other = sessionOf(world, { ...honest, eth_chainId: () => toQuantity(chainId) })
      expect(await isFoundOut(evmAdapter.reader.heads(other))).toBe(true)
      const stuck = { ...block.json, number: toQuantity(HEIGHT - 1 - random.below(50)) }
      expect(await isFoundOut(read(world, { ...honest, eth_getBlockByNumber: () => stuck }))).toBe(true)
      const above = { ...block.json, number: toQuantity(HEIGHT + 1 + random.below(50)), hash: random.hex(32) }
      const ahead = (tag: string) => (tag === 'finalized' ? above : block.json)
      const answers = {
        ...honest,
        eth_chainId: () => toQuantity(chain.network.chainId ?? 0),
        eth_getBlockByNumber: ahead,
      }
      expect(await isFoundOut(evmAdapter.reader.heads(sessionOf(world, answers)))).toBe(true)
    })
  })

  it('E22: two forks by turns give one of them, or nothing', async () => {
    let consistent = 0
    await mutations(worlds, async (world, at) => {
      const { random } = world
      const forks = [0, 1].map(() => {
        const first = blockOf(world, [tokenTx(world), trueTransfer(world)])
        return [first, blockOf(world, [trueTransfer(world), tokenTx(world)], first)]
      }) as [ForgedBlock[], ForgedBlock[]]
      const [one, two]: [FakeAnswers, FakeAnswers] = [honestAnswers(forks[0]), honestAnswers(forks[1])]
      const share = random.pick([0.02, 0.1, 0.5])
      const turns = Object.keys(one).map((method) => {
        const ask = (...params: never[]) => (random.chance(share) ? two : one)[method]?.(...params)
        return [method, ask] as const
      })
      // Nodes on different heads often still know each other's blocks by hash.
      const byHash = random.chance(0.5) ? knownByHash(forks.flat()) : {}
      const answers: FakeAnswers = { ...Object.fromEntries(turns), ...byHash }
      try {
        const facts = await read(world, answers, at % 2 === 0 ? HEIGHT + 1 : FAR)
        const all = new Map(forks.flat().map((block) => [block.hash, block]))
        const blocks = facts.flatMap(({ block }) => all.get(block.hash) ?? [])
        expect(credits(facts)).toEqual(owedIn(blocks))
        expect(forks.some((fork) => blocks.every((block) => fork.includes(block)))).toBe(true)
        consistent += 1
      } catch (error) {
        if (!(error instanceof RetryableRpcError)) throw error
      }
    })
    expect(consistent).toBeGreaterThan(MUTATIONS / 10)
  })

  it('E23: a pending transaction brings nothing, and is replaced once its nonce is used by another', async () => {
    await mutations(worlds, async (world) => {
      const { random } = world
      const [nonce, used] = [random.below(20), random.below(20)]
      const tx = trueTransfer(world)
      const { json } = blockOf(world, [{ ...tx, extra: { nonce: toQuantity(nonce) } }])
      const [mined] = json['transactions'] as [Json]
      const pending = { ...mined, blockHash: null, blockNumber: null }
      const answers = {
        ...honestAnswers([blockOf(world, [])]),
        eth_getTransactionByHash: () => pending,
        eth_getTransactionReceipt: () => null,
        eth_getTransactionCount: () => toQuantity(used),
      }
      const state = used > nonce ? 'replaced' : 'pending'
      expect(await evmAdapter.reader.transaction(sessionOf(world, answers), String(mined['hash']))).toEqual({ state })
      expect(credits(await read(world, answers))).toEqual([])
    })
  })

  it('E28: a mint from Ethereum is found although lists and log index leave it out', async () => {
    await mutations([polygon], async (world, at) => {
      const { random, ours, tokens } = world
      const nobody = `0x${'00'.repeat(20)}`
      const [token, to, units] = [random.pick(tokens), random.pick(ours), random.units()]
      const mint = transferLog(token.address, nobody, to, units)
      const sync = {
        hash: random.hex(32),
        from: nobody,
        to: nobody,
        logs: [mint],
        owed: [{ assetId: token.assetId, to, units, leg: 'log:0' }],
      }
      const usual = tokenTx(world)
      const block = forgeBlock(random, parent, [usual, sync], { logsBloom: toHex(bloomOf(usual.logs ?? [])) })
      const honest = honestAnswers([block])
      const lists = {
        eth_getBlockReceipts: () => block.receipts.slice(0, 1),
        eth_getLogs: (filter: Parameters<typeof honest.eth_getLogs>[0]) =>
          honest.eth_getLogs(filter).filter((log) => log['transactionHash'] !== sync.hash),
        debug_traceBlockByHash: () => (random.chance(0.5) ? block.traces : block.traces.slice(0, 1)),
      }
      const range = at % 2 === 0 ? HEIGHT : FAR
      expect(credits(await read(world, { ...honest, ...lists }, range))).toEqual(owedIn([block]))
      const unknown = (hash: string) => (hash === sync.hash ? null : honest.eth_getTransactionReceipt(hash))
      const facts = await read(world, { ...honest, ...lists, eth_getTransactionReceipt: unknown }, range)
      expect(credits(facts)).toEqual(owedIn([block]).filter((credit) => !credit.startsWith(sync.hash)))
    })
  })

  it('X7: somebody else’s transaction brings what it brought them, under its own hash only', async () => {
    await mutations([eth, base], async (world) => {
      const { random, tokens } = world
      const token = random.pick(tokens).address
      const theirs = {
        hash: random.hex(32),
        to: token,
        logs: [transferLog(token, random.hex(20), random.hex(20), random.units())],
      }
      const answers = honestAnswers([blockOf(world, [theirs])])
      const facts = await evmAdapter.reader.transaction(sessionOf(world, answers), theirs.hash)
      expect(facts).toMatchObject({ state: 'included', transfers: [{ leg: 'log:0' }] })
      expect(credits(await read(world, answers))).toEqual([])
      const any = {
        ...answers,
        eth_getTransactionByHash: () => answers.eth_getTransactionByHash(theirs.hash),
        eth_getTransactionReceipt: () => answers.eth_getTransactionReceipt(theirs.hash),
      }
      expect(await isFoundOut(evmAdapter.reader.transaction(sessionOf(world, any), random.hex(32)))).toBe(true)
    })
  })

  it('X12: money for an address without a contract is found like any other, without asking for code', async () => {
    await mutations(worlds, async (world) => {
      const block = blockOf(world, [tokenTx(world), trueTransfer(world)])
      // The fake node refuses eth_getCode and everything else that is not needed.
      expect(credits(await read(world, honestAnswers([block])))).toEqual(owedIn([block]))
    })
  })
})

function renumber(receipts: readonly Json[]): Json[] {
  let next = 0
  return receipts.map((receipt) => ({
    ...receipt,
    logs: (receipt['logs'] as readonly Json[]).map((log) => ({ ...log, logIndex: toQuantity(next++) })),
  }))
}
