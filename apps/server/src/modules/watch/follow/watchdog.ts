/** A poll without any answer for this long is cancelled (money.md 2.9): longer than a node may take for one request. */
const STALL_TIMEOUT_MS = 60_000

/** No answer arrived within the timeout. */
export class StallTimeout extends Error {
  constructor() {
    super(`No node has answered for ${STALL_TIMEOUT_MS / 1000} s`)
    this.name = 'StallTimeout'
  }
}

export type Watchdog = {
  /** An answer arrived: starts the timeout again. */
  readonly renew: () => void
  /** Runs the work; aborts its signal and rejects when no answer arrives within the timeout. @throws StallTimeout */
  readonly wait: <T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>
}

/** Makes a watchdog that lets work run as long as answers arrive. */
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
