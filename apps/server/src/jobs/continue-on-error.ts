import type { Context } from '../context.ts'

/** Runs pieces of work one after another, so that one failure does not stop the others. */
export type ContinueOnError = {
  /** Runs one piece; null when it failed, which is logged together with `about`. */
  readonly attempt: <T>(about: Readonly<Record<string, string>>, work: () => Promise<T>) => Promise<T | null>
  /** Throws the first failure, once all pieces have run: the worker reports it, and the next run tries again. */
  readonly end: () => void
}

/** Starts such a run. What `stopsAll` holds of a failure is thrown at once: the others would fail of it as well. */
export function continueOnError(
  { log }: Pick<Context, 'log'>,
  stopsAll: (error: unknown) => boolean = () => false,
): ContinueOnError {
  const failures: unknown[] = []
  return {
    attempt: async (about, work) => {
      try {
        return await work()
      } catch (err) {
        if (stopsAll(err)) throw err
        failures.push(err)
        log.error({ err, ...about }, 'one failed, and the others go on')
        return null
      }
    },
    end: () => {
      if (failures.length > 0) throw failures[0]
    },
  }
}
