import type { SimulatedNode } from './families/family.ts'
import type { Process } from './scheduler.ts'
import { type SimulatedChain, wait, type World } from './world.ts'

const DAY_MS = 86_400_000
const TEN_MINUTES_MS = 600_000
/** How long a node stays faulty. */
const BAD_MS = [10_000, 240_000] as const
/** How long a watcher still believes after a pause that it leads. */
const UNAWARE_MS = 60_000
const ANOTHER_NETWORK = 99_999

/** Causes trouble: faulty nodes, and wrong clocks. */
export async function trouble(world: World, process: Process): Promise<void> {
  const { random, scheduler, chaos } = world
  while (!process.isDead && world.phase === 'trouble') {
    await scheduler.sleep(wait(world, [5_000, 60_000]))
    if (world.phase !== 'trouble') return
    if (random.chance(chaos.badNode)) spoilNode(world)
    if (random.chance(chaos.clock)) bendClock(world)
  }
}

function spoilNode(world: World): void {
  const { random, scheduler } = world
  const chain = random.any(world.chains)
  const node = chain && random.any(chain.nodes)
  // One correct node of each chain stays: false answers alone cannot be recognised.
  if (!chain || !node || chain.nodes.some((each) => each !== node && each.fault !== null)) return
  const fault = random.pick(world.treasury ? chain.family.sendingFaults : chain.family.faults)
  node.fault = fault
  node.shown = shownBy(world, chain, fault)
  scheduler.note(`${node.name} is faulty: ${fault}`)
  const until = scheduler.now() + wait(world, BAD_MS)
  scheduler.start(`repair of ${node.name}`, async () => {
    await scheduler.sleep(until - scheduler.now())
    heal(node)
  })
}

/** Makes a node answer correctly again. */
export function heal(node: SimulatedNode): void {
  node.fault = null
  node.shown = null
}

function shownBy({ random, scheduler }: World, { chain, family }: SimulatedChain, fault: SimulatedNode['fault']) {
  const view = chain.view()
  const behind = random.between(1, Math.min(20, view.blocks.length - 2))
  if (fault === 'stale') return { ...view, blocks: view.blocks.slice(0, -behind) }
  const depth = Math.min(behind, 6)
  const left = view.blocks.slice(-depth).flatMap(({ transactions }) => transactions)
  const remaining = left.filter(() => random.chance(0.7))
  const time = Math.floor(scheduler.now() / 1000)
  const blocks = Array.from({ length: depth + random.between(0, 2) }, (_, at) => ({
    time,
    transactions: at === 0 ? remaining : [],
  }))
  if (fault === 'fork') return chain.fork(depth, blocks)
  if (fault === 'wrong chain') {
    const other = { ...chain.fork(view.blocks.length, blocks), chainId: ANOTHER_NETWORK }
    const [genesis, ...rest] = other.blocks
    if (family.strangeGenesis === undefined || !genesis) return other
    return { ...other, blocks: [{ ...genesis, hash: family.strangeGenesis }, ...rest] }
  }
  return null
}

/** Pauses a process; its connections do not last that long, and other processes do its work. */
export async function pause(world: World, process: Process): Promise<void> {
  const { random, scheduler } = world
  const ms = random.between(1_000, TEN_MINUTES_MS)
  scheduler.note(`${process.name} is paused for ${ms}`)
  process.pausedUntil = scheduler.now() + ms
  await world.sessions.sever(process)
  for (const [chainId, holder] of world.holdsLease) if (holder === process) world.holdsLease.delete(chainId)
  const lost = world.leases.get(process)
  scheduler.start(`wake-up of ${process.name}`, async () => {
    await scheduler.sleep(ms + random.between(0, UNAWARE_MS))
    lost?.abort()
  })
}

function bendClock({ random, scheduler, running }: World): void {
  const process = random.any([...running])
  if (!process) return
  process.skewMs = random.chance(0.5) ? 0 : random.between(-DAY_MS, DAY_MS)
  scheduler.note(`the clock of ${process.name} is off by ${process.skewMs}`)
}
