import { useSyncExternalStore } from 'react'

/** One clock for every relative time on the page; it stands still while the tab is hidden. */
const EVERY_MS = 1000

let now = new Date()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function tick(): void {
  if (document.visibilityState === 'hidden') return
  now = new Date()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, EVERY_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Returns the value that `read` computes from the current time; the component renders again only when that value changes. */
export function useNow<Value extends string | number | boolean>(read: (now: Date) => Value): Value {
  return useSyncExternalStore(subscribe, () => read(now))
}
