import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import type { BlockFacts, ChainAdapter, TransferFilter } from '@kassa/chains/adapter.ts'
import { adapterOf } from '@kassa/chains/adapters.ts'
import { BLOCKS_ONLY, reorgLimitOf } from '@kassa/chains/chain.ts'
import { openBitcoinConformanceChain } from '@kassa/chains/testing/bitcoin-conformance-chain.ts'
import type { FamilyChain } from '@kassa/chains/testing/conformance.ts'
import { openEvmConformanceChain } from '@kassa/chains/testing/evm-conformance-chain.ts'
import { type Random, randomOf } from '@kassa/chains/testing/fakes/random.ts'
import { openSolanaConformanceChain } from '@kassa/chains/testing/solana-chain.ts'
import { openTronConformanceChain } from '@kassa/chains/testing/tron-conformance-chain.ts'
import { describe, expect, it } from 'vitest'

import { nextStep, planRollBack } from './branch-rules.ts'

/** Reorganisations of all families together: few with every change, 10,000 by `npm run reorganisations`. */
const ALL_RUNS = Number(process.env['KASSA_REORGANISATIONS'] ?? 40)

/** Runs on one chain before the next one begins: some local nodes read their whole chain again each time. */
const RUNS_PER_CHAIN = 4

/** One family is read by another interface too: what follows a chain must not notice. */
const CHAINS: Readonly<Record<string, () => FamilyChain>> = {
  ETH_Family: openEvmConformanceChain,
  TRX_Family: openTronConformanceChain,
  BTC_Family: openBitcoinConformanceChain,
  'BTC_Family through an Esplora': () => openBitcoinConformanceChain('esplora'),
  SOL_Family: openSolanaConformanceChain,
}

setFlagsFromString('--expose_gc')
const collectGarbage = runInNewContext('gc') as () => void

const RUNS = Math.ceil(ALL_RUNS / Object.keys(CHAINS).length)

/** Follows a chain as the watcher does, by the same rules, from one block on; what it holds is in memory. */
class Reader {
  readonly #chain: FamilyChain
  readonly #adapter: ChainAdapter
  readonly #filter: TransferFilter
  ours: BlockFacts[]

  constructor(adapter: ChainAdapter, chain: FamilyChain, first: BlockFacts) {
    const { addresses } = adapter
    const own = new Set(chain.ours.map((one) => hex(addresses.key(chain.session.chain, one))))
    this.#adapter = adapter
    this.#chain = chain
    this.#filter = { assets: new Set(Object.values(chain.assets)), matches: (key) => own.has(hex(key)) }
    this.ours = [first]
  }

  /** Reads until nothing is new; returns how often it rolled back, or why it halts. */
  async catchUp(): Promise<number | string> {
    const { session } = this.#chain
    const { reader } = this.#adapter
    for (let rolledBack = 0; ;) {
      const { latest } = await reader.heads(session)
      const last = lastOf(this.ours)
      const isLonger = latest.height > last.height
      const facts = isLonger
        ? await reader.blocks(session, { from: last.height + 1, to: latest.height }, this.#filter)
        : []
      const oursAtLatest = this.ours.find(({ block }) => block.height === latest.height)?.block.hash ?? null
      const step = nextStep(last, { latest, next: facts[0]?.block ?? null, oursAtLatest })
      if (step.kind === 'wait') return rolledBack
      if (step.kind === 'advance') this.ours.push(...facts)
      if (step.kind !== 'fork') continue
      const [oldest] = this.ours
      const range = { from: oldest?.block.height ?? 0, to: Math.max(last.height, latest.height) }
      const theirs = (await reader.blocks(session, range, BLOCKS_ONLY)).map(({ block }) => block)
      const plan = planRollBack(
        { ...last, finalizedHeight: -1, reorgLimit: reorgLimitOf(session) },
        this.ours.map(({ block }) => block),
        theirs,
      )
      if (plan.kind === 'halt') return plan.why.case
      this.ours = this.ours.filter(({ block }) => block.height <= plan.toHeight)
      rolledBack += 1
    }
  }

  /** Heights between the first block and the last. */
  span(): number {
    return lastOf(this.ours).height - (this.ours[0]?.block.height ?? 0)
  }

  /** Every transfer after the first block, by what is stored of it. */
  held(): string[] {
    return namesOf(this.ours.slice(1))
  }

  /** The same as a reader sees it that comes later. */
  async truth(): Promise<string[]> {
    const from = (this.ours[0]?.block.height ?? 0) + 1
    const range = { from, to: this.#chain.height() }
    return namesOf(await this.#adapter.reader.blocks(this.#chain.session, range, this.#filter))
  }
}

describe.each(Object.entries(CHAINS))('reorganisations of %s', (name, open) => {
  const adapter = adapterOf(open().session.chain.blockchain.family)
  if (!adapter) throw new Error(`${name} has no adapter`)

  it(`${RUNS} of every depth up to the limit leave what a later reader finds`, async () => {
    const random = randomOf(RUNS)
    let chain = open()
    const limit = reorgLimitOf(chain.session)
    for (let run = 0; run < RUNS; run += 1) {
      if (run % RUNS_PER_CHAIN === 0) chain = await openAnother(open)
      // The least, the most, and then all between.
      const depth = run < 2 ? ([1, limit][run % 2] ?? 1) : 1 + (run % limit)
      const reader = await readerFrom(adapter, chain)
      const paid = mineSome(random, chain, depth)
      expect(await reader.catchUp()).toBe(0)
      // Depth is counted in heights, which a chain may leave out.
      const isTooDeep = reader.span() > limit
      chain.reorganize(depth)
      if (isTooDeep) {
        chain.mine([])
        expect(await reader.catchUp()).toBe('too_deep')
        chain = await openAnother(open)
        continue
      }
      const isSeenAtOnce = random.chance(0.5)
      if (isSeenAtOnce) expect(await reader.catchUp()).toBe(1)
      const later = mineSome(random, chain, 1 + random.below(3))
      expect(await reader.catchUp()).toBe(isSeenAtOnce ? 0 : 1)
      expect(reader.held()).toEqual(await reader.truth())
      expect(reader.held()).toHaveLength(paid + later)
    }
  })

  it('halts at one deeper than the limit', async () => {
    const chain = open()
    const reader = await readerFrom(adapter, chain)
    const depth = reorgLimitOf(chain.session) + 1
    mineSome(randomOf(1), chain, depth)
    expect(await reader.catchUp()).toBe(0)
    chain.reorganize(depth)
    chain.mine([])
    expect(await reader.catchUp()).toBe('too_deep')
  })
})

/** Opens a chain in place of one that is no longer used, whose memory may be outside of what the garbage collector counts. */
async function openAnother(open: () => FamilyChain): Promise<FamilyChain> {
  collectGarbage()
  await setImmediate()
  return open()
}

async function readerFrom(adapter: ChainAdapter, chain: FamilyChain): Promise<Reader> {
  chain.mine([])
  const at = chain.height()
  const [first] = await adapter.reader.blocks(chain.session, { from: at, to: at }, BLOCKS_ONLY)
  if (!first) throw new Error(`block ${at} is not found`)
  return new Reader(adapter, chain, first)
}

/** Mines blocks, now and then with a payment to one of ours; returns how many. */
function mineSome(random: Random, chain: FamilyChain, blocks: number): number {
  let paid = 0
  for (let left = blocks; left > 0; left -= 1) {
    const isPaid = left === 1 || random.chance(0.1)
    const assetId = random.pick([chain.assets.native, chain.assets.token ?? chain.assets.native])
    const to = random.pick(chain.ours)
    chain.mine(isPaid ? [{ assetId, from: chain.payer, to, units: BigInt(1 + random.below(1_000)) }] : [])
    paid += isPaid ? 1 : 0
  }
  return paid
}

function lastOf(facts: readonly BlockFacts[]) {
  const last = facts.at(-1)?.block
  if (!last) throw new Error('Nothing is read')
  return last
}

/** Place in the chain as well: money of a block that is gone must not stay under its hash. */
function namesOf(facts: readonly BlockFacts[]): string[] {
  return facts.flatMap(({ block, transfers }) =>
    transfers.map(({ txId, leg, to, units }) => [block.height, block.hash, txId, leg, to, units].join(' ')),
  )
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
