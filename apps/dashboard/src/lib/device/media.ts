import { useSyncExternalStore } from 'react'

/** Larger text in the browser makes the screen smaller, for the styles and so for the scripts. */
export const TEXT_SCALE = (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16) / 16

/** Below this many pixels tables become cards and the sidebar a strip (the specification's small-screen threshold). */
const NARROW_BELOW_PX = 640

/** Below this many pixels a full sidebar takes too much of the room of the page. */
const ROOMY_FROM_PX = 1024

/** Whether the window is narrower than the small-screen threshold right now. */
export function isNarrow(): boolean {
  return window.innerWidth < NARROW_BELOW_PX * TEXT_SCALE
}

/** Returns whether the window is narrow, and draws again when that changes. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(onResize, isNarrow)
}

/** Returns whether the window has room for a full sidebar beside a table, and draws again when that changes. */
export function useIsRoomy(): boolean {
  return useSyncExternalStore(onResize, isRoomy)
}

function isRoomy(): boolean {
  return window.innerWidth >= ROOMY_FROM_PX * TEXT_SCALE
}

function onResize(listener: () => void): () => void {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}
