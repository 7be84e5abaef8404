import type { FakeTransaction } from '@kassa/chains/testing/fake-chain/transactions.ts'

import type { Process } from './scheduler.ts'
import { isAlone, type SimulatedChain, wait, type World } from './world.ts'

/** Deepest reorganisation a program follows (SANDBOX_CONFIRMATIONS). */
const REORG_LIMIT = 64
/** Blocks mined after the trouble, so that everything becomes final. */
const LAST_BLOCKS = 6

/** Mines blocks now and then, and sometimes leaves a branch for another. */
export async function miner(world: World, chain: SimulatedChain, process: Process): Promise<void> {
  const { random, scheduler, chaos } = world
  let left = LAST_BLOCKS + (chain.family.finalBehind ?? 0)
  while (!process.isDead) {
    await scheduler.sleep(wait(world, world.phase === 'trouble' ? blockTimes(world) : [500, 2_000]))
    if (left === 0 && !isAwaited(world, chain)) {
      // Where shops pay out, somebody may still send something that only a block can settle.
      if (!world.treasury || world.phase === 'days') return
      continue
    }
    if (world.phase === 'trouble' && random.chance(chaos.reorg)) reorganise(world, chain)
    else if (world.phase === 'trouble' && random.chance(chaos.deepReorg)) breakChain(world, chain)
    else mine(world, chain)
    finalize(world, chain)
    if (world.phase !== 'trouble' && !isAwaited(world, chain)) left = Math.max(0, left - 1)
  }
}

/** Blocks come faster on a chain that is alone, where money must be final before it is sent on. */
function blockTimes(world: World): readonly [number, number] {
  return isAlone(world) ? [1_000, 8_000] : [2_000, 40_000]
}

/** Whether something is to be mined, or follows from what is mined. */
function isAwaited({ treasury }: World, { mempool }: SimulatedChain): boolean {
  return mempool.length > 0 || treasury?.isBusy === true
}

function mine(world: World, chain: SimulatedChain): void {
  const { random, scheduler, phase } = world
  const taken = random.shuffled(chain.mempool).filter(() => phase !== 'trouble' || random.chance(0.8))
  chain.mempool = chain.mempool.filter((tx) => !taken.includes(tx))
  seal(chain, scheduler.now(), [...taken, ...executable(world, chain)])
  scheduler.note(`${chain.code} mined ${chain.chain.head().height} with ${taken.length}`)
}

/** Moves finality behind the head at a changing distance; sometimes it stalls. */
function finalize({ random, phase }: World, { chain, family }: SimulatedChain): void {
  if (family.finalBehind !== undefined) chain.finalize(chain.head().height - family.finalBehind)
  else if (phase !== 'trouble') chain.finalize(chain.head().height)
  else if (random.chance(0.4)) chain.finalize(chain.head().height - random.between(3, 20))
}

/** Orphans some blocks: their transactions return unchanged, changed, later or not at all. */
function reorganise(world: World, chain: SimulatedChain): void {
  const { random, scheduler } = world
  const final = chain.chain.view().finalizedHeight ?? 0
  const lowest = chain.chain.head().height - deepest(world, chain)
  const most = blocksAbove(chain, Math.max(oldestOf(chain), final, lowest))
  const depth = Math.min(most, random.chance(0.1) ? random.between(1, most) : random.between(1, 4))
  if (depth < 1) return
  const left = chain.chain.leave(depth)
  const length = depth + random.between(0, 2)
  const waiting = random
    .shuffled(left.flatMap(({ transactions }) => transactions))
    .flatMap((tx) => fate(world, chain, tx))
  scheduler.note(`${chain.code} leaves ${depth} blocks for ${length}`)
  for (let n = 0; n < length; n += 1) {
    const share = n === length - 1 ? waiting.splice(0) : waiting.splice(0, random.between(0, waiting.length))
    seal(chain, scheduler.now(), [...share, ...executable(world, chain)])
  }
}

function deepest({ treasury }: World, { family }: SimulatedChain): number {
  return (treasury && family.provenBehind) ?? REORG_LIMIT - family.ahead
}

/** Signed transactions of which it is the turn: at most one of each account in a block. */
function executable({ random, phase }: World, { signed, chain }: SimulatedChain): FakeTransaction[] {
  return signed.take(chain.view(), () => phase !== 'trouble' || random.chance(0.7))
}

function fate({ random }: World, chain: SimulatedChain, tx: FakeTransaction): FakeTransaction[] {
  if (tx.signed) {
    // It is valid in its place only; nodes that forget it are given it again by whoever signed it.
    if (!tx.isSuccess || random.chance(0.75)) chain.signed.putBack(tx)
    return []
  }
  const chance = random.next()
  if (chance < 0.6) return [tx]
  if (chance < 0.75) {
    chain.mempool = [...chain.mempool, tx]
    return []
  }
  return chance < 0.85 ? [chain.family.changed(tx)] : []
}

/** Replaces more than any program may follow: final blocks, or more blocks than the limit. */
function breakChain({ scheduler, cursors }: World, chain: SimulatedChain): void {
  const { height } = chain.chain.head()
  const final = chain.chain.view().finalizedHeight
  const branchPoint = final === null ? height - REORG_LIMIT - chain.family.ahead : final - 1
  const stood = cursors.get(chain.id)
  if (branchPoint < oldestOf(chain) || chain.broken || !stood) return
  const isSure = final === null ? stood.height - branchPoint > REORG_LIMIT : stood.finalized > branchPoint
  chain.broken = isSure ? 'surely' : 'perhaps'
  scheduler.note(`${chain.code} is broken`)
  const left = chain.chain.leave(blocksAbove(chain, branchPoint))
  for (const { transactions } of left) seal(chain, scheduler.now(), transactions)
  seal(chain, scheduler.now(), [])
}

/** The first block after block 0, which no reorganisation replaces: the program may have begun to read there. */
function oldestOf({ chain }: SimulatedChain): number {
  return chain.view().blocks[1]?.height ?? 0
}

/** Heights may be left out: blocks are counted. */
function blocksAbove({ chain }: SimulatedChain, lowest: number): number {
  return chain.view().blocks.filter(({ height }) => height > lowest).length
}

/** Mines a block of what is valid there, and forgets what no block of this branch can hold any more. */
function seal(chain: SimulatedChain, now: number, transactions: readonly FakeTransaction[]): void {
  const { mineable } = chain.family
  const time = Math.max(chain.chain.head().time + 1, Math.floor(now / 1000))
  chain.chain.mine(time, mineable ? mineable(chain.chain.view().blocks, transactions) : transactions)
  if (mineable) chain.mempool = mineable(chain.chain.view().blocks, chain.mempool)
}
