/** A turn without any answer for this long is given up (money.md 2.9): longer than a node may take for one request. */
const PATIENCE_MS = 60_000

/** Nothing came back for too long. */
export class StallTimeout extends Error {
  constructor() {
    super(`Nothing was heard for ${PATIENCE_MS / 1000} s`)
    this.name = 'Hanging'
  }
}

export type Watchdog = {
  /** Something came back: wait anew. */
  readonly renew: () => void
  /** Runs the work; gives up when nothing came back for too long, and tells the work so by the signal. @throws Hanging */
  readonly wait: <T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>
}

/** Waits for work as long as signs of life come. */
export function patience(patienceMs = PATIENCE_MS): Watchdog {
  let renew = () => {}
  return {
    renew: () => renew(),
    wait: async (signal, work) => {
      const gaveUp = new AbortController()
      const hanging = Promise.withResolvers<never>()
      const timer = setTimeout(() => {
        gaveUp.abort()
        hanging.reject(new StallTimeout())
      }, patienceMs)
      renew = () => void timer.refresh()
      try {
        return await Promise.race([work(AbortSignal.any([signal, gaveUp.signal])), hanging.promise])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
