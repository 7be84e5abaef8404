import { useSyncExternalStore } from 'react'

/** Display settings kept on this device. Nothing secret is stored through here. */
const CHANGED = 'kassa-stored'

/** What the signed-in account has of a setting stands under its name behind this, before what the device has. */
const OF_ACCOUNT = 'account:'

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

/** Returns a setting that accounts keep: the account's, as this device read it last, else the device's own. */
export function readOfAccount(name: string): string | undefined {
  return readStored(OF_ACCOUNT + name) ?? readStored(name)
}

/** The same for what is drawn. */
export function useOfAccount(name: string): string | undefined {
  return useSyncExternalStore(subscribe, () => readOfAccount(name))
}

/** Keeps a copy of what the account has of a setting; `undefined`: nothing, or nobody is signed in. */
export function writeOfAccount(name: string, value: string | undefined): void {
  if (readStored(OF_ACCOUNT + name) !== value) writeStored(OF_ACCOUNT + name, value)
}

/** Calls the listener when a setting changes, here or in another tab; returns the function that stops it. */
export function subscribe(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener)
  window.addEventListener('storage', listener)
  return () => {
    window.removeEventListener(CHANGED, listener)
    window.removeEventListener('storage', listener)
  }
}
