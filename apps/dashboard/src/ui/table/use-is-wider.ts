import { useLayoutEffect, useState } from 'react'
import type { RefObject } from 'react'

/** Returns whether what an element holds is wider than the element, and draws again when that changes. */
export function useIsWider(box: RefObject<HTMLElement | null>): boolean {
  const [isWider, setIsWider] = useState(false)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const measure = () => setIsWider(element.scrollWidth > element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    if (element.firstElementChild !== null) observer.observe(element.firstElementChild)
    return () => observer.disconnect()
  }, [box])
  return isWider
}
