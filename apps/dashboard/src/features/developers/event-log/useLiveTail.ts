import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'

/** Beyond this the operator reads further down, and rows that arrive above would move the text. */
const SCROLLED_PX = 120

export type LiveTail = {
  readonly isOn: boolean
  readonly setOn: (isOn: boolean) => void
  /** The pointer is on the list, or it is scrolled. */
  readonly isPaused: boolean
  /** For the element around the list. */
  readonly around: {
    readonly ref: RefObject<HTMLElement | null>
    readonly onPointerEnter: () => void
    readonly onPointerLeave: () => void
  }
}

/** Says whether new rows may come in at the head of a list by themselves. */
export function useLiveTail(): LiveTail {
  const ref = useRef<HTMLElement>(null)
  const [isOn, setOn] = useState(true)
  const [isPointedAt, setPointedAt] = useState(false)
  const isScrolled = useIsScrolled(ref)
  return {
    isOn,
    setOn,
    isPaused: isPointedAt || isScrolled,
    around: { ref, onPointerEnter: () => setPointedAt(true), onPointerLeave: () => setPointedAt(false) },
  }
}

function useIsScrolled(list: RefObject<HTMLElement | null>): boolean {
  const [isScrolled, setScrolled] = useState(false)
  useEffect(() => {
    // A wide table scrolls in a box of its own; its events are heard on the way down, as are those of a drawer beside it.
    const look = () => {
      const box = list.current?.querySelector('[data-wide]')
      setScrolled(Math.max(window.scrollY, box?.scrollTop ?? 0) > SCROLLED_PX)
    }
    document.addEventListener('scroll', look, { capture: true, passive: true })
    return () => document.removeEventListener('scroll', look, { capture: true })
  }, [list])
  return isScrolled
}
