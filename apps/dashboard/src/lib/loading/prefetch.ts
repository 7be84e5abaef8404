import { useEffect } from 'react'

import { mayLoadCode } from './server-reachable.ts'

/** By then the page itself is there, which must not wait for this. */
const AFTERWARDS_MS = 1_000

type Load = () => Promise<unknown>

const loaded = new WeakSet<Load>()

/** Whether the code was prefetched and is there without the server. */
export function isPrefetched(load: Load): boolean {
  return loaded.has(load)
}

/**
 * Loads what opens over a page once the page stands and the browser has nothing else to do: it opens at once, and also
 * when the server no longer answers. With data saving it is loaded when it is needed.
 */
export function usePrefetch(load: Load): void {
  useEffect(() => {
    if (savesData()) return
    const prefetch = async () => {
      if (!(await mayLoadCode())) return
      // Opening it reports a load that failed.
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
