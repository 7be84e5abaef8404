import { useEffect, useState } from 'react'
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

/** Returns how a row looks that fades out where it hides something, and brings the entry that is chosen into view. */
export function useFadedEdges(row: RefObject<HTMLElement | null>, chosen: string): string {
  const [hidden, setHidden] = useState<HiddenEnds>({ start: false, end: false })

  useEffect(() => {
    const element = row.current
    if (element === null) return
    const measure = () => {
      const left = Math.abs(element.scrollLeft)
      const next = { start: left > 1, end: left + element.clientWidth < element.scrollWidth - 1 }
      setHidden((now) => (now.start === next.start && now.end === next.end ? now : next))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    // An entry that comes later, or a count beside its name, does not change the size of the row.
    const entries = new MutationObserver(measure)
    entries.observe(element, { childList: true, subtree: true, characterData: true })
    element.addEventListener('scroll', measure)
    return () => {
      observer.disconnect()
      entries.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [row])

  useEffect(() => bringIntoView(row.current), [row, chosen])
  return FADES[`${hidden.start} ${hidden.end}`]
}

/** Sideways alone: the page must not scroll to its tabs. Some of the neighbour stays in view. */
function bringIntoView(row: HTMLElement | null): void {
  const entry = row?.querySelector<HTMLElement>('[aria-selected=true], [aria-current]')
  if (row === null || !entry) return
  const [outer, inner] = [row.getBoundingClientRect(), entry.getBoundingClientRect()]
  const beyond = Math.max(0, inner.right + NEIGHBOUR_PX - outer.right)
  const before = Math.max(0, outer.left - inner.left + NEIGHBOUR_PX)
  if (beyond > 0 || inner.left < outer.left) row.scrollBy({ left: beyond > 0 ? beyond : -before, behavior: 'instant' })
}

const NEIGHBOUR_PX = 40
