import type { Context } from '../context.ts'

/** Pieces of work of which one may fail without keeping the others waiting. */
export type ContinueOnError = {
  /** Does one; null where it failed, which the log says. `about` names it there. */
  readonly attempt: <T>(about: Readonly<Record<string, string>>, work: () => Promise<T>) => Promise<T | null>
  /** Throws the first failure, once everything else is done: the report of the worker shows it, and the next run tries again. */
  readonly end: () => void
}

/** Starts such work. */
export function continueOnError({ log }: Pick<Context, 'log'>): ContinueOnError {
  const failures: unknown[] = []
  return {
    attempt: async (about, work) => {
      try {
        return await work()
      } catch (err) {
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
