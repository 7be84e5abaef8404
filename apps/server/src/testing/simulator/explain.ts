import { type Outcome, simulate, type SimulateOptions } from './simulate.ts'

/** Lines of the trace that are shown. */
const SHOWN = 60

/**
 * Reports what failed and how to reproduce it: the seed, the property, and the fewest steps of trouble that lead to it.
 */
export async function explain({ seed, failure }: Outcome, options: SimulateOptions): Promise<string> {
  if (!failure) return `Seed ${seed} found nothing.`
  const shortest = await shortestFailing(seed, failure.step, options)
  const again = shortest.outcome.failure ?? failure
  return [
    `Seed ${seed} broke "${failure.property}": ${failure.detail}`,
    `It takes ${shortest.steps} steps of trouble (npm run simulate -- --seed ${seed} --steps ${shortest.steps}${options.isPaying ? ' --paying' : ''}): ${again.detail}`,
    ...shortest.outcome.tail.slice(-SHOWN),
  ].join('\n')
}

/** Halves the number of steps as long as the run still fails. */
async function shortestFailing(
  seed: number,
  most: number,
  options: SimulateOptions,
): Promise<{ readonly steps: number; readonly outcome: Outcome }> {
  let low = 0
  let high = Math.min(most, options.steps ?? most)
  let outcome = await simulate(seed, { ...options, steps: high })
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const tried = await simulate(seed, { ...options, steps: middle })
    if (tried.failure) [high, outcome] = [middle, tried]
    else low = middle
  }
  return { steps: high, outcome }
}
