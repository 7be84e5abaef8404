import { useEffect } from 'react'

import { mayLoadCode } from './server-reachable.ts'

/** By then the page itself is there, which must not wait for this. */
const AFTERWARDS_MS = 1_000

type Load = () => Promise<unknown>

const loaded = new WeakSet<Load>()

/** Whether the code came ahead: it is there, whoever answers. */
export function isPrefetched(load: Load): boolean {
  return loaded.has(load)
}

/**
 * Loads what opens over a page once the page stands and the browser has nothing else to do: it opens at once, and also
 * when nobody answers any more. Whoever saves data loads it when it is asked for.
 */
export function usePrefetch(load: Load): void {
  useEffect(() => {
    if (savesData()) return
    const prefetch = async () => {
      if (!(await mayLoadCode())) return
      // Whoever opens it is told when it did not come.
      await load().then(
        () => loaded.add(load),
        () => undefined,
      )
    }
    const timer = setTimeout(() => whenIdle(() => void prefetch()), AFTERWARDS_MS)
    return () => clearTimeout(timer)
  }, [load])
}

/** Safari tells no idle moments. */
function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(act)
  else act()
}

function savesData(): boolean {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } }
  return connection?.saveData === true
}
