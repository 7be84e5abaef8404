import { useLayoutEffect, useState } from 'react'
import type { RefObject } from 'react'

/** Before anything is measured, and where nothing can be. */
const UNMEASURED_PX = 600

/** Returns how wide a box is, and draws again when that changes. */
export function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(UNMEASURED_PX)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = () => setWidth(element.clientWidth || UNMEASURED_PX)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return width
}
