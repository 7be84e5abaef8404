/** Work of which one run is active at a time; requests meanwhile cause one further run, however many there are. */
export type Repeated = {
  readonly run: () => Promise<void>
  /** Resolves when nothing runs and no run is requested. */
  readonly idle: () => Promise<void>
}

/** Coalesces calls of a function that never fails. */
export function coalesce(work: () => Promise<void>): Repeated {
  let running: Promise<void> | undefined
  let isAskedAgain = false

  async function runAll(): Promise<void> {
    do {
      isAskedAgain = false
      await work()
    } while (isAskedAgain)
    running = undefined
  }

  return {
    run: () => {
      isAskedAgain = running !== undefined
      running ??= runAll()
      return running
    },
    idle: async () => running,
  }
}
