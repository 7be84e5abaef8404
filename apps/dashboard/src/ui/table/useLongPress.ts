import { useEffect, useRef } from 'react'
import type { MouseEvent, PointerEvent } from 'react'

/** A finger that rests this long means the card, not what is below it. */
const HOLD_MS = 500

/** A finger that moves further scrolls. */
const MOST_MOVED_PX = 10

type Press = { readonly x: number; readonly y: number; readonly timer: ReturnType<typeof setTimeout> }

/**
 * Returns what makes an element notice a finger that rests on it. The click at its end and the browser's own menu are
 * kept back then. A long press is never the only way: callers offer the same by a button.
 */
export function useLongPress(onLongPress: ((key: string) => void) | undefined) {
  const press = useRef<Press>(undefined)
  const wasLongPressed = useRef(false)
  const stop = () => {
    clearTimeout(press.current?.timer)
    press.current = undefined
  }
  useEffect(() => () => clearTimeout(press.current?.timer), [])
  if (onLongPress === undefined) return () => ({})
  const hold = (key: string) => {
    stop()
    wasLongPressed.current = true
    onLongPress(key)
  }
  return (key: string) => ({
    onPointerDown: ({ pointerType, isPrimary, clientX, clientY }: PointerEvent) => {
      stop()
      wasLongPressed.current = false
      if (pointerType !== 'touch' || !isPrimary) return
      press.current = { x: clientX, y: clientY, timer: setTimeout(() => hold(key), HOLD_MS) }
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (press.current === undefined) return
      const { x, y } = press.current
      if (Math.hypot(clientX - x, clientY - y) > MOST_MOVED_PX) stop()
    },
    onPointerUp: stop,
    onPointerCancel: stop,
    // Some browsers open their menu before the time is over: a finger that rests means the same.
    onContextMenu: (event: MouseEvent) => {
      if (press.current !== undefined) hold(key)
      if (wasLongPressed.current) event.preventDefault()
    },
    onClickCapture: (event: MouseEvent) => {
      if (!wasLongPressed.current) return
      wasLongPressed.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  })
}
