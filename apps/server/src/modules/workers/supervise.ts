import { randomUUID } from 'node:crypto'

import { asSystem, type Context } from '../../context.ts'
import type { LiveChannel } from '../../events/live-channel.ts'
import { withTimeout } from '../../jobs/at-most.ts'
import type { WorkerGroup, Report } from './crew.ts'
import { coalesce } from './one-at-a-time.ts'
import { deleteBeats, deleteOldBeats, upsertBeats } from './store.ts'

/** How often this process looks whether there is something new to say, and how often it says that it is there. */
const LOOK_MS = 1_000
const BEAT_MS = 5_000

/** The longest that workers are waited for at the end: the queue gives back the jobs that run on, and needs its time too. */
const STOP_MS = 5_000

/** What is told to every process when a worker is to begin again. */
export const RESTART_ASKED = 'worker.restart'

/** What open screens hear when a worker comes, goes, fails or recovers. */
const CHANGED = { name: 'worker.changed', projectId: null, data: {} } as const

export type Supervisor = {
  /** Takes on workers that have begun, and says so. */
  readonly add: (crews: readonly WorkerGroup[]) => Promise<void>
  /** Stops them all and takes back what was said. */
  readonly stop: () => Promise<void>
}

/** What this process knows of its workers. */
type House = {
  readonly ctx: Context
  readonly id: string
  readonly crews: WorkerGroup[]
  /** The newest restart of each that was made. */
  readonly done: Map<string, number>
  readonly restarting: Map<string, Promise<void>>
  /** Nothing begins any more. */
  isStopped: boolean
  /** What open screens last heard, and when that was written down. */
  told: string
  toldAt: number
}

/**
 * Looks after the workers of this process: writes down how they are, and lets them begin again when somebody asked for it.
 * The request is a number in the database, the message on the channel only makes it quick: one that is lost is found with
 * the next beat.
 */
export function superviseWorkers(ctx: Context, channel: LiveChannel): Supervisor {
  const house: House = {
    ctx: asSystem(ctx),
    id: randomUUID(),
    crews: [],
    done: new Map(),
    restarting: new Map(),
    isStopped: false,
    told: '',
    toldAt: Number.NEGATIVE_INFINITY,
  }
  const beats = coalesce(async () => {
    if (house.isStopped || house.crews.length === 0) return
    try {
      for (const [name, asked] of await beat(house)) {
        if (house.isStopped) return
        const made = restart(house, name, asked).then((isMade) => (isMade ? beats.run() : undefined))
        house.restarting.set(name, made)
      }
    } catch (err) {
      ctx.log.warn({ err }, 'workers could not be written down')
    }
  })
  const timer = setInterval(() => {
    if (isDue(house)) void beats.run()
  }, LOOK_MS)
  const unsubscribe = channel.subscribe((message) => {
    if (message === null || message.name === RESTART_ASKED) void beats.run()
  })
  return {
    add: async (crews) => {
      house.crews.push(...crews)
      await deleteOldBeats(house.ctx)
      await beats.run()
    },
    stop: async () => {
      house.isStopped = true
      clearInterval(timer)
      unsubscribe()
      const ending = house.crews.splice(0).map((crew) => crew.stop())
      await withTimeout(STOP_MS, Promise.all([...ending, ...house.restarting.values()]))
      await beats.idle()
      await takeBack(house)
    },
  }
}

function reportsOf({ crews }: House): Report[] {
  return crews.flatMap((crew) => crew.reports())
}

/** What open screens are told of: which workers there are, which fail, and which began again. */
function newsOf(house: House): string {
  return reportsOf(house)
    .map(({ name, failure }) => `${name} ${failure !== null} ${house.done.get(name) ?? 0}`)
    .join()
}

function isDue(house: House): boolean {
  return performance.now() - house.toldAt >= BEAT_MS || newsOf(house) !== house.told
}

/** Writes down how the workers are; returns those that are to begin again, each with the number of the request. */
async function beat(house: House): Promise<[name: string, asked: number][]> {
  const { ctx, id, done, restarting } = house
  const said = reportsOf(house).map((report) => ({ ...report, restartsDone: done.get(report.name) ?? 0 }))
  const news = newsOf(house)
  const asked = await upsertBeats(ctx, id, said)
  if (news !== house.told) await ctx.events.announce(ctx, CHANGED)
  house.told = news
  house.toldAt = performance.now()
  return [...asked].filter(([name, count]) => count > (done.get(name) ?? 0) && !restarting.has(name))
}

/** Makes a restart and tells whether it came about; one that failed is tried again with the next beat. */
async function restart({ ctx, crews, done, restarting }: House, name: string, asked: number): Promise<boolean> {
  try {
    await crews.find((crew) => crew.reports().some((report) => report.name === name))?.restart(name)
    done.set(name, asked)
    ctx.log.info({ worker: name }, 'begins again')
    return true
  } catch (err) {
    ctx.log.error({ err, worker: name }, 'could not begin again')
    return false
  } finally {
    restarting.delete(name)
  }
}

async function takeBack({ ctx, id, toldAt }: House): Promise<void> {
  if (toldAt === Number.NEGATIVE_INFINITY) return
  try {
    await deleteBeats(ctx, id)
    await ctx.events.announce(ctx, CHANGED)
  } catch (err) {
    ctx.log.warn({ err }, 'workers could not be taken back')
  }
}
