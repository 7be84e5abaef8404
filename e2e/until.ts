import { setTimeout as pause } from 'node:timers/promises'

/** Between two questions: short beside what is waited for, long enough for the limits of the routes asked. */
const EVERY_MS = 150

/**
 * Gives the first answer that passes, asking again until then.
 * @throws Error that names what was waited for and the last answer when none passed within `withinMs`.
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  passes: (answer: T) => boolean,
  withinMs = 90_000,
): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (passes(answer)) return answer
    if (performance.now() > deadline) throw new Error(`Waited ${withinMs} ms for ${what}; last: ${shown(answer)}`)
    await pause(EVERY_MS)
  }
}

function shown(answer: unknown): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer)
}
