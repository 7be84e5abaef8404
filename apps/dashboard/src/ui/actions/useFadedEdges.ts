import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'

/** Where more entries are beyond an end, the row fades out there. */
const FADES = {
  'false false': '',
  'true false': 'mask-l-from-[calc(100%-2.5rem)]',
  'false true': 'mask-r-from-[calc(100%-2.5rem)]',
  'true true': 'mask-x-from-[calc(100%-2.5rem)]',
} as const

/** Which ends of a row that scrolls sideways hide something. */
type HiddenEnds = { readonly start: boolean; readonly end: boolean }

/**
 * Returns how a row looks that fades out where it hides something, and brings the entry that is chosen into view. There it
 * stays when its neighbours or the row change their widths, unless somebody has scrolled it away.
 */
export function useFadedEdges(row: RefObject<HTMLElement | null>, chosen: string): string {
  const [hidden, setHidden] = useState<HiddenEnds>({ start: false, end: false })
  const wasInView = useRef(false)

  useEffect(() => {
    bringIntoView(row.current)
    wasInView.current = true
  }, [row, chosen])

  useEffect(() => {
    const element = row.current
    if (element === null) return
    const measure = () => {
      const left = Math.abs(element.scrollLeft)
      const next = { start: left > 1, end: left + element.clientWidth < element.scrollWidth - 1 }
      setHidden((now) => (now.start === next.start && now.end === next.end ? now : next))
    }
    const onWidths = () => {
      if (wasInView.current) bringIntoView(element)
      measure()
    }
    const onScroll = () => {
      wasInView.current = isInView(element)
      measure()
    }
    const observer = new ResizeObserver(onWidths)
    observer.observe(element)
    // An entry that comes later, or a count beside its name, does not change the size of the row.
    const entries = new MutationObserver(onWidths)
    entries.observe(element, { childList: true, subtree: true, characterData: true })
    element.addEventListener('scroll', onScroll)
    return () => {
      observer.disconnect()
      entries.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [row])

  return FADES[`${hidden.start} ${hidden.end}`]
}

/** Sideways alone: the page must not scroll to its tabs. Some of the neighbour stays in view. */
function bringIntoView(row: HTMLElement | null): void {
  const [outer, inner] = placesOf(row)
  if (row === null || inner === undefined) return
  const beyond = Math.max(0, inner.right + NEIGHBOUR_PX - outer.right)
  const before = Math.max(0, outer.left - inner.left + NEIGHBOUR_PX)
  if (beyond > 0 || inner.left < outer.left) row.scrollBy({ left: beyond > 0 ? beyond : -before, behavior: 'instant' })
}

function isInView(row: HTMLElement): boolean {
  const [outer, inner] = placesOf(row)
  return inner !== undefined && inner.left >= outer.left && inner.right <= outer.right
}

/** Where a row is, and the entry in it that is chosen. */
function placesOf(row: HTMLElement | null): readonly [DOMRect, DOMRect?] {
  const entry = row?.querySelector('[aria-selected=true], [aria-current]')
  return [row?.getBoundingClientRect() ?? new DOMRect(), entry?.getBoundingClientRect()]
}

const NEIGHBOUR_PX = 40
