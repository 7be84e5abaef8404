import { useEffect, useState } from 'react'
import type { RefObject } from 'react'

/** Which ends of a row that scrolls sideways hide something. */
export type HiddenEnds = { readonly start: boolean; readonly end: boolean }

/** Follows which ends of a row hide something, and brings the entry that is chosen into view. */
export function useFadedEdges(row: RefObject<HTMLElement | null>, chosen: string): HiddenEnds {
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
    element.addEventListener('scroll', measure)
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [row])

  useEffect(() => bringIntoView(row.current), [row, chosen])
  return hidden
}

/** Sideways alone: the page must not scroll to its tabs. Some of the neighbour stays in view. */
function bringIntoView(row: HTMLElement | null): void {
  const entry = row?.querySelector<HTMLElement>('[aria-selected=true]')
  if (row === null || !entry) return
  const [outer, inner] = [row.getBoundingClientRect(), entry.getBoundingClientRect()]
  const beyond = Math.max(0, inner.right + NEIGHBOUR_PX - outer.right)
  const before = Math.max(0, outer.left - inner.left + NEIGHBOUR_PX)
  if (beyond > 0 || inner.left < outer.left) row.scrollBy({ left: beyond > 0 ? beyond : -before, behavior: 'instant' })
}

const NEIGHBOUR_PX = 40
