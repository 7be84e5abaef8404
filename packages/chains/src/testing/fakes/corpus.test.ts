import { factsOf } from '../../evm/network/facts.ts'
import { describe, expect, it } from 'vitest'
import type { Chain } from '../../adapter.ts'
import { HEAD_SPAN } from '../../evm/blocks/blocks.ts'
import { chainOf } from '../anvil-chain.ts'
import { fakeNode } from '../fake-node.ts'
import { MUTATIONS } from './mutations.ts'
import { randomOf } from './random.ts'
import { chainFakes, executionFakes } from './execution-fakes.ts'
import { type ForgedBlock, type ForgedTx, forgeBlock } from './forged.ts'
import { honestAnswers, poorNode } from './forged-node.ts'
import { BEFORE, owedIn, readAll } from './reading.ts'
import { type Forger, tokenFakes } from './token-fakes.ts'
import { trueTransfer, type World, worldOf } from './world.ts'

/** How many mutations share a block with two true transfers. */
const PER_BLOCK = 20
const SEED = 20_260

const eth = chainOf('ETH', 'mainnet')
/** Ethereum after EIP-7708. */
const logged: Chain = {
  ...eth,
  blockchain: {
    ...eth.blockchain,
    facts: { ...factsOf(eth), nativeTransferLog: '0xfffffffffffffffffffffffffffffffffffffffe' },
  },
}

/** Mines every mutation of a class, each block with true transfers between the fakes. */
function mine(world: World, forge: Forger, mutations: number): ForgedBlock[] {
  const blocks: ForgedBlock[] = []
  for (let made = 0; made < mutations; made += PER_BLOCK) {
    const fakes = Array.from({ length: PER_BLOCK }, (): ForgedTx => forge(world))
    const txs = world.random.shuffle([...fakes, trueTransfer(world), trueTransfer(world)])
    blocks.push(forgeBlock(world.random, blocks.at(-1) ?? { height: BEFORE, hash: world.random.hex(32) }, txs))
  }
  return blocks
}

/** Reads at the head, over a long range, and from a node without receipts per block and traces. */
async function expectOnlyTheTruth(chain: Chain, forge: Forger, mutations = MUTATIONS): Promise<void> {
  const world = worldOf(chain, randomOf(SEED))
  const blocks = mine(world, forge, mutations)
  const hashes = blocks.map(({ hash }) => hash)
  const owed = owedIn(blocks)
  expect(owed.length).toBeGreaterThanOrEqual((2 * mutations) / PER_BLOCK)
  for (const span of [HEAD_SPAN, blocks.length]) {
    expect(await readAll(world, fakeNode(honestAnswers(blocks)), blocks.length, span)).toEqual({
      hashes,
      credited: owed,
    })
  }
  const poor = poorNode(blocks, ['eth_getBlockReceipts', 'debug_traceBlockByHash'])
  const visible = owedIn(blocks, (leg) => !leg.startsWith('internal'))
  expect(await readAll(world, poor, blocks.length, blocks.length)).toEqual({ hashes, credited: visible })
}

const onEthereum = Object.entries<Forger>({ ...tokenFakes, ...executionFakes })

describe('fakes', () => {
  it.each(onEthereum)('%s: mutations credit nothing but the truth', async (_, forge) => {
    await expectOnlyTheTruth(eth, forge)
  })

  it.each(onEthereum.filter(([id]) => id in tokenFakes))('%s: likewise on BASE and POLYGON', async (_, forge) => {
    await expectOnlyTheTruth(chainOf('BASE', 'mainnet'), forge, MUTATIONS / 2)
    await expectOnlyTheTruth(chainOf('POLYGON', 'mainnet'), forge, MUTATIONS / 2)
  })

  it.each(Object.entries<Forger>({ E25: executionFakes.E25, E26: executionFakes.E26, E32: tokenFakes.E32 }))(
    '%s: where the chain logs native transfers (EIP-7708), its log is what counts below the top level',
    (_, forge) => expectOnlyTheTruth(logged, forge),
  )

  it('E27: the coin contract of POLYGON is no token', () =>
    expectOnlyTheTruth(chainOf('POLYGON', 'mainnet'), chainFakes.E27))

  it('E29: what a deposit transaction minted is no deposit unless its call succeeded', () =>
    expectOnlyTheTruth(chainOf('BASE', 'mainnet'), chainFakes.E29))
})
