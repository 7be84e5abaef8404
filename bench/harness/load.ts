/** Calls made at the same time, over and over. */
import { performance } from 'node:perf_hooks'

export type Load = { readonly perSecond: number; readonly latenciesMs: readonly number[] }

/** Lets each client do the work again and again until the time is up; `client` counts from 0. */
export async function repeat(
  { clients, forMs }: { clients: number; forMs: number },
  work: (client: number) => Promise<void>,
): Promise<Load> {
  const latenciesMs: number[] = []
  const begun = performance.now()
  const loop = async (client: number) => {
    for (let now = performance.now(); now - begun < forMs; now = performance.now()) {
      await work(client)
      latenciesMs.push(performance.now() - now)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => loop(client)))
  return { perSecond: (latenciesMs.length * 1000) / (performance.now() - begun), latenciesMs }
}
