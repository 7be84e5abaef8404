import { useEffect, useState } from 'react'
import type { RefObject } from 'react'

const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'

/**
 * Returns whether a box holds more than it shows and nothing that takes the focus: then the box itself must take it, or
 * it could not be scrolled by keyboard.
 */
export function useTextScroller(box: RefObject<HTMLElement | null>): boolean {
  const [isText, setIsText] = useState(false)
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const look = () =>
      setIsText(element.scrollHeight > element.clientHeight && element.querySelector(FOCUSABLE) === null)
    look()
    const observer = new ResizeObserver(look)
    for (const part of [element, ...element.children]) observer.observe(part)
    return () => observer.disconnect()
    // What is in the box is another after every drawing.
  })
  return isText
}
