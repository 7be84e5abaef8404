/** Strikes at random moments while other work goes on, and brings back what it struck. */
import { setTimeout as pause } from 'node:timers/promises'

import type { Random } from './random.ts'
import type { Slot } from './slot.ts'

export type Strike = { readonly name: string; readonly run: () => Promise<void> }

export type Chaos = {
  /** Resolves after the last strike, when all is up again, to the names of what was struck; rejects when a strike failed. */
  readonly over: Promise<readonly string[]>
  /** Strikes no more. */
  readonly stop: () => Promise<unknown>
}

/** Between two strikes: less than a start takes, so that some meet a process that has just begun, up to a while of calm. */
const CALM_MS = { least: 300, most: 2_500 } as const

/** A process that is starting is struck as well, one time in so many. */
const ALSO_WHILE_STARTING = 4

/** Begins to strike, so many times. */
export function unleash(random: Random, times: number, strikes: readonly [Strike, ...Strike[]]): Chaos {
  const stopping = new AbortController()
  const over = strikeOn()
  // Awaited later; until then a rejection has no handler.
  over.catch(() => undefined)

  async function strikeOn(): Promise<readonly string[]> {
    const done: string[] = []
    while (done.length < times && !stopping.signal.aborted) {
      const calm = CALM_MS.least + random.below(CALM_MS.most - CALM_MS.least)
      await pause(calm, undefined, { signal: stopping.signal }).catch(() => undefined)
      const { name, run } = random.pick(strikes)
      await run()
      done.push(name)
    }
    return done
  }

  return {
    over,
    stop: () => {
      stopping.abort()
      return over.catch(() => undefined)
    },
  }
}

/** `kill -9` of one process, which is then started again; sometimes it is killed a second time while it starts. */
export function killing(slot: Slot, random: Random): Strike {
  return {
    name: slot.name,
    run: async () => {
      await slot.kill()
      if (random.below(ALSO_WHILE_STARTING) === 0) {
        const interrupted = slot.start().catch(() => undefined)
        await pause(100 + random.below(1_500))
        await slot.kill()
        await interrupted
      }
      await slot.start()
    },
  }
}

/** Lets one piece of work run at a time. */
export function createLock(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }
}
