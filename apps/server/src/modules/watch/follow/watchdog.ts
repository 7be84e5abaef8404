/** A turn without any answer for this long is given up (money.md 2.9): longer than a node may take for one request. */
const STALL_TIMEOUT_MS = 60_000

/** Nothing came back for too long. */
export class StallTimeout extends Error {
  constructor() {
    super(`Nothing was heard for ${STALL_TIMEOUT_MS / 1000} s`)
    this.name = 'StallTimeout'
  }
}

export type Watchdog = {
  /** Something came back: wait anew. */
  readonly renew: () => void
  /** Runs the work; gives up when nothing came back for too long, and tells the work so by the signal. @throws StallTimeout */
  readonly wait: <T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>
}

/** Waits for work as long as signs of life come. */
export function watchdog(timeoutMs = STALL_TIMEOUT_MS): Watchdog {
  let renew = () => {}
  return {
    renew: () => renew(),
    wait: async (signal, work) => {
      const gaveUp = new AbortController()
      const stalled = Promise.withResolvers<never>()
      const timer = setTimeout(() => {
        gaveUp.abort()
        stalled.reject(new StallTimeout())
      }, timeoutMs)
      renew = () => void timer.refresh()
      try {
        return await Promise.race([work(AbortSignal.any([signal, gaveUp.signal])), stalled.promise])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
