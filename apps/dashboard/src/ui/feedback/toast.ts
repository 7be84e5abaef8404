export type ToastTone = 'success' | 'error'

export type ToastEntry = { readonly id: number; readonly tone: ToastTone; readonly text: string }

/** More than this push the oldest out. */
const MOST = 3

let entries: readonly ToastEntry[] = []
let nextId = 1
const listeners = new Set<() => void>()

function publish(next: readonly ToastEntry[]): void {
  entries = next
  for (const listener of listeners) listener()
}

/** The same words again replace the ones on screen: they are announced again, and shown once. */
function show(tone: ToastTone, text: string): number {
  const others = entries.filter((entry) => entry.tone !== tone || entry.text !== text)
  const id = nextId++
  publish([{ id, tone, text }, ...others].slice(0, MOST))
  return id
}

/** Says something in passing, top right, for five seconds; never the only place an error is shown. Returns what takes it away. */
export const toast = {
  success: (text: string) => show('success', text),
  error: (text: string) => show('error', text),
}

/** Takes a toast away before or when its time is over. */
export function dismissToast(id: number): void {
  publish(entries.filter((entry) => entry.id !== id))
}

/** Calls `listener` whenever the toasts change. */
export function onToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The toasts on screen, newest first. */
export function currentToasts(): readonly ToastEntry[] {
  return entries
}
