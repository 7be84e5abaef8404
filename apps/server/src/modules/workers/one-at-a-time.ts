/** Work of which one runs at a time; what is asked for meanwhile is one more, however often. */
export type Repeated = {
  readonly run: () => Promise<void>
  /** Resolves when nothing runs and nothing is asked for. */
  readonly idle: () => Promise<void>
}

/** Makes such work of a function that never fails. */
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
