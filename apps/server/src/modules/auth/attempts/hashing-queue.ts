/** Two at once per process (api.md 2.8): each holds 64 MiB and one of the four threads that disk and DNS share. */
const AT_ONCE = 2

/**
 * As many may wait: some seconds of work. Beyond it a caller learns at once that it is too busy, instead of waiting longer
 * than anybody does.
 */
const LONGEST_QUEUE = 32

/** The queue refused the work, or gave its place to a network that waited less; nothing was done. */
export class QueueFull extends Error {}

type Waiting = { readonly begin: () => void; readonly refuse: (reason: QueueFull) => void }

export type HashingQueue = {
  /** Runs the work when it is its network's turn. @throws QueueFull */
  readonly run: <T>(network: string, work: () => Promise<T>) => Promise<T>
}

/**
 * Makes a queue in which networks take turns, each its oldest first: one that asks for hundreds waits for itself. When the
 * queue is full, a network that waits for less takes the place of the newest of the one that waits for most.
 */
export function createHashingQueue({ atOnce = AT_ONCE, longest = LONGEST_QUEUE } = {}): HashingQueue {
  let running = 0
  // In the order of their turns.
  const waiting = new Map<string, Waiting[]>()

  const begins = (network: string) =>
    new Promise<void>((begin, refuse) => {
      const own = waiting.get(network) ?? []
      if (countAll(waiting) >= longest) makePlace(waiting, own.length)
      waiting.set(network, [...own, { begin, refuse }])
    })

  const next = () => {
    const [turn] = waiting
    if (!turn) return void (running -= 1)
    const [network, [first, ...rest]] = turn
    waiting.delete(network)
    // Whoever had a turn stands behind the others again.
    if (rest.length > 0) waiting.set(network, rest)
    first?.begin()
  }

  return {
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

function countAll(waiting: ReadonlyMap<string, readonly Waiting[]>): number {
  return [...waiting.values()].reduce((sum, { length }) => sum + length, 0)
}

/** Refuses the newest of the network that waits for most, or the newcomer when its own network does. @throws QueueFull */
function makePlace(waiting: Map<string, Waiting[]>, own: number): void {
  const [most] = [...waiting].toSorted(([, one], [, other]) => other.length - one.length)
  if (!most || most[1].length <= own + 1) throw new QueueFull()
  const [network, theirs] = most
  waiting.set(network, theirs.slice(0, -1))
  theirs.at(-1)?.refuse(new QueueFull())
}
