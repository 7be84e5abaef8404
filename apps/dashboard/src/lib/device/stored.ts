import { useSyncExternalStore } from 'react'

/** Display settings kept on this device. Nothing secret is stored through here. */
const CHANGED = 'kassa-stored'

/** Returns a display setting of this device. */
export function readStored(name: string): string | undefined {
  return localStorage.getItem(name) ?? undefined
}

/** Keeps a display setting on this device; `undefined` forgets it. */
export function writeStored(name: string, value: string | undefined): void {
  if (value === undefined) localStorage.removeItem(name)
  else localStorage.setItem(name, value)
  window.dispatchEvent(new Event(CHANGED))
}

/** Returns a display setting and draws again when it changes, here or in another tab. */
export function useStored(name: string): string | undefined {
  return useSyncExternalStore(subscribe, () => readStored(name))
}

function subscribe(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener)
  window.addEventListener('storage', listener)
  return () => {
    window.removeEventListener(CHANGED, listener)
    window.removeEventListener('storage', listener)
  }
}
