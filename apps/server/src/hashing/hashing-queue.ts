import { networksAround } from '../networks.ts'

/** Two at once per process (api.md 2.8): each holds 64 MiB and a core. */
export const HASHES_AT_ONCE = 2

/**
 * The most that may wait: some seconds of work. Beyond it a caller is refused at once instead of waiting longer than anybody
 * does.
 */
const LONGEST_QUEUE = 32

/** Networks that share 56 bits may take at most twice this part of the queue, those that share 48 bits four times. */
const SHARE_AROUND = 1 / 8

/** The queue refused the work, or gave its place to a network with fewer waiting; nothing was done. */
export class QueueFull extends Error {}

type Waiting = { readonly begin: () => void; readonly refuse: (reason: QueueFull) => void }

export type HashingQueue = {
  /** Runs the work when it is its network's turn. @throws QueueFull */
  readonly run: <T>(network: string, work: () => Promise<T>) => Promise<T>
  /** Asks whether work of a network would be refused now, before anything is done for it. @throws QueueFull */
  readonly requirePlace: (network: string) => void
}

/**
 * Makes a queue in which networks take turns, each with its oldest work first, so that a network that sends hundreds only waits
 * for itself. When the queue is full, work of a network with fewer waiting replaces the newest of the one with most.
 */
export function createHashingQueue({ atOnce = HASHES_AT_ONCE, longest = LONGEST_QUEUE } = {}): HashingQueue {
  let running = 0
  // In the order of their turns.
  const waiting = new Map<string, readonly Waiting[]>()

  const requirePlace = (network: string): Leaving | undefined => {
    if (running < atOnce) return undefined
    requireShare(waiting, network, longest)
    return countAll(waiting) >= longest ? placeOf(waiting, network) : undefined
  }

  const begins = (network: string) =>
    new Promise<void>((begin, refuse) => {
      const leaving = requirePlace(network)
      if (leaving) refuseNewest(waiting, leaving)
      waiting.set(network, [...(waiting.get(network) ?? []), { begin, refuse }])
    })

  const next = () => {
    const [turn] = waiting
    if (!turn) return void (running -= 1)
    const [network, [first, ...rest]] = turn
    waiting.delete(network)
    // A network that had its turn goes behind the others again.
    if (rest.length > 0) waiting.set(network, rest)
    first?.begin()
  }

  return {
    requirePlace: (network) => void requirePlace(network),
    run: async (network, work) => {
      if (running < atOnce) running += 1
      else await begins(network)
      try {
        return await work()
      } finally {
        next()
      }
    },
  }
}

/** Otherwise the owner of thousands of networks would take a place with each. @throws QueueFull */
function requireShare(waiting: ReadonlyMap<string, readonly Waiting[]>, network: string, longest: number): void {
  for (const { name, times } of networksAround(network)) {
    const inside = [...waiting].filter(([other]) => networksAround(other).some((around) => around.name === name))
    if (countAll(inside) >= Math.max(times, times * longest * SHARE_AROUND)) throw new QueueFull()
  }
}

function countAll(waiting: Iterable<readonly [string, readonly Waiting[]]>): number {
  return [...waiting].reduce((sum, [, { length }]) => sum + length, 0)
}

/** The work whose newest item gives its place to a newcomer. */
type Leaving = readonly [network: string, waiting: readonly Waiting[]]

/**
 * Finds whose newest item would leave a full queue: that of the owner with most waiting, unless it is the newcomer's own; one
 * owner is everything in the same network of 48 bits. @throws QueueFull
 */
function placeOf(waiting: ReadonlyMap<string, readonly Waiting[]>, newcomer: string): Leaving {
  const owners = [...Map.groupBy(waiting, ([network]) => ownerOf(network))]
  const own = countAll(owners.find(([owner]) => owner === ownerOf(newcomer))?.[1] ?? [])
  const [most] = owners.map(([, theirs]) => theirs).toSorted((one, other) => countAll(other) - countAll(one))
  const [last] = most?.toSorted(([, one], [, other]) => other.length - one.length) ?? []
  if (!most || !last || countAll(most) <= own + 1) throw new QueueFull()
  return last
}

function refuseNewest(waiting: Map<string, readonly Waiting[]>, [network, theirs]: Leaving): void {
  if (theirs.length > 1) waiting.set(network, theirs.slice(0, -1))
  else waiting.delete(network)
  theirs.at(-1)?.refuse(new QueueFull())
}

function ownerOf(network: string): string {
  return networksAround(network).at(-1)?.name ?? network
}
