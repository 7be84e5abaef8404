import { useSyncExternalStore } from 'react'

/** Below this many pixels tables become cards and the sidebar a strip (the specification's small-screen threshold). */
export const NARROW_BELOW_PX = 640

/** Whether the window is narrower than the small-screen threshold right now. */
export function isNarrow(): boolean {
  return window.innerWidth < NARROW_BELOW_PX
}

/** Returns whether the window is narrow, and draws again when that changes. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(onResize, isNarrow)
}

function onResize(listener: () => void): () => void {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}
