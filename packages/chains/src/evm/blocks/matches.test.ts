import { setImmediate as nextTask } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { describe, expect, it } from 'vitest'

import type { NodeClient } from '../../node/client.ts'
import { chainOf } from '../../testing/anvil-chain.ts'
import { fakeNode } from '../../testing/fake-node.ts'
import { randomOf } from '../../testing/fakes/random.ts'
import { type ForgedBlock, type ForgedTx, forgeBlock } from '../../testing/fakes/forged.ts'
import { honestAnswers } from '../../testing/fakes/forged-node.ts'
import { BEFORE, creditOf, owedIn, readRange } from '../../testing/fakes/reading.ts'
import { noiseLog, trueTransfer, type World, worldOf } from '../../testing/fakes/world.ts'
import { WHOLE_AT_ONCE } from './receipts.ts'

/** Several times as many as are read whole at once. */
const BLOCKS = 60
/** Every bit is set: it speaks of every contract. */
const FULL_FILTER = `0x${'ff'.repeat(256)}`

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const world = worldOf(chainOf('ETH', 'mainnet'), randomOf(8))
const tokensOnly: World = {
  ...world,
  filter: { ...world.filter, assets: new Set(world.tokens.map(({ assetId }) => assetId)) },
}

/** Blocks as on a busy chain: full filters, and something for us in every tenth. */
function denseBlocks(): ForgedBlock[] {
  const blocks: ForgedBlock[] = []
  for (let at = 0; at < BLOCKS; at += 1) {
    const strangers = Array.from({ length: 5 }, (): ForgedTx => ({ logs: [noiseLog(world), noiseLog(world)] }))
    const txs = at % 10 === 0 ? [...strangers, trueTransfer(world)] : strangers
    const parent = blocks.at(-1) ?? { height: BEFORE, hash: world.random.hex(32) }
    blocks.push(forgeBlock(world.random, parent, txs, { logsBloom: FULL_FILTER }))
  }
  return blocks
}

/** A node that counts of how many blocks the receipts, or the bodies, are asked for in one go, and how many are held. */
function countingNode(blocks: readonly ForgedBlock[]) {
  const most = { receipts: 0, bodies: 0, held: 0 }
  const given: WeakRef<object>[] = []
  const honest = honestAnswers(blocks)
  const receiptsOf = (hash: string) => {
    const receipts = structuredClone(honest.eth_getBlockReceipts(hash)) ?? []
    given.push(...receipts.slice(0, 1).map((one) => new WeakRef(one)))
    return receipts
  }
  const node = fakeNode({ ...honest, eth_getBlockReceipts: receiptsOf })
  const batch: NodeClient['batch'] = async (calls, options) => {
    const count = (method: string) => calls.filter((call) => call.rpc === 'json' && call.method === method).length
    most.receipts = Math.max(most.receipts, count('eth_getBlockReceipts'))
    most.bodies = Math.max(most.bodies, count('eth_getBlockByHash'))
    if (count('eth_getBlockReceipts') > 0) most.held = Math.max(most.held, await heldOf(given))
    return node.batch(calls, options)
  }
  return { node: { ...node, batch }, most, given }
}

/** How many of them something still holds on to. */
async function heldOf(given: readonly WeakRef<object>[]): Promise<number> {
  await nextTask()
  collectGarbage()
  return given.filter((one) => one.deref() !== undefined).length
}

describe('evm.matches of blocks whose filters speak of every contract', () => {
  const blocks = denseBlocks()
  const last = BEFORE + BLOCKS
  const creditsOf = async (of: World, node: NodeClient) =>
    (await readRange(of, node, BEFORE + 1, last)).flatMap(({ transfers }) => transfers.map(creditOf)).toSorted()

  it('reads them whole a few at a time, and holds no more than those', async () => {
    const { node, most, given } = countingNode(blocks)
    expect(await creditsOf(world, node)).toEqual(owedIn(blocks))
    expect(given.length).toBeGreaterThanOrEqual(BLOCKS)
    expect(most).toEqual({ receipts: WHOLE_AT_ONCE, bodies: 0, held: expect.any(Number) })
    expect(most.held).toBeLessThanOrEqual(2 * WHOLE_AT_ONCE)
  })

  it('asks for bodies where only headers were read, as few at a time', async () => {
    const { node, most } = countingNode(blocks)
    const tokens = new Set([...tokensOnly.filter.assets].map(String))
    expect(await creditsOf(tokensOnly, node)).toEqual(
      owedIn(blocks).filter((credit) => tokens.has(credit.split(' ')[2] ?? '')),
    )
    expect(most).toMatchObject({ receipts: WHOLE_AT_ONCE, bodies: WHOLE_AT_ONCE })
    expect(most.held).toBeLessThanOrEqual(2 * WHOLE_AT_ONCE)
  })
})
