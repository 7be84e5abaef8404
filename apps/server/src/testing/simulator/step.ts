import { Broken } from './broken.ts'
import { checkFinality } from './families/checks.ts'
import { checkInvariants } from './properties.ts'
import type { Process } from './scheduler.ts'
import { pause } from './trouble.ts'
import type { World } from './world.ts'

/** Awaits of senders in one run, about: seeds with numbers of the same parity kill at each of them in turn. */
const SENDER_AWAITS = 800
/** Steps after which a run that should end counts as endless. */
const MOST_STEPS = 40_000
/** How often the ledger is checked, besides the end: a check takes as long as dozens of steps. */
const CHECK_EVERY = 200
const PAYING_CHECK_EVERY = 500

/** Performs one step of the run, and the checks that follow some of them. @throws Broken */
export async function step(world: World): Promise<void> {
  const { scheduler, random, chaos, running } = world
  let paused: Process | undefined
  const isAlive = await scheduler.step((process) => {
    if (world.phase !== 'trouble' || !running.has(process)) return 'go'
    if (random.chance(chaos.kill) || isSendersTurn(world, process)) return 'kill'
    if (random.chance(chaos.pause)) paused = process
    return 'go'
  })
  if (paused && !paused.isDead) await pause(world, paused)
  if (!isAlive) throw new Broken('no livelock', 'no process has anything to do')
  if (world.complaint) throw world.complaint
  const holder = world.sessions.holder()
  if (holder?.isDead) await world.sessions.sever(holder)
  const isDue = scheduler.steps() % (world.treasury ? PAYING_CHECK_EVERY : CHECK_EVERY) === 0
  if (isDue && !world.sessions.holder()) {
    await checkInvariants(world)
    await checkFinality(world)
  }
  if (scheduler.steps() > MOST_STEPS) throw new Broken('no livelock', 'the run does not end')
}

/** Whether a sender dies here besides what chance kills: at every await in turn, from one seed to the next that pays. */
function isSendersTurn({ seed, treasury }: World, { name }: Process): boolean {
  if (!treasury || !name.startsWith('sender')) return false
  treasury.awaits += 1
  return treasury.awaits === (Math.floor(seed / 2) % SENDER_AWAITS) + 1
}
