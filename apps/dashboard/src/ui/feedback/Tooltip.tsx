import { useId, useRef } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'

/** How long the pointer rests before the text shows: a pointer that only passes by opens nothing. */
const REST_MS = 400

/** Shows a short text beside what it wraps, on hover and on focus; Escape hides it. It never holds the only copy. */
export function Tooltip({ text, children, beside = false }: { text: string; children: ReactNode; beside?: boolean }) {
  const id = useId()
  const anchor = `--${id.replace(/[^a-z0-9]/gi, '')}`
  const bubble = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const show = (afterMs: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => bubble.current?.isConnected === true && bubble.current.showPopover?.(), afterMs)
  }
  const hide = () => {
    clearTimeout(timer.current)
    bubble.current?.hidePopover?.()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') hide()
  }

  return (
    <span
      className="inline-flex"
      style={{ anchorName: anchor }}
      onPointerEnter={(event) => event.pointerType === 'mouse' && show(REST_MS)}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={(event) => event.target.matches(':focus-visible') && show(0)}
      onBlur={hide}
      onKeyDown={onKeyDown}
    >
      {children}
      <span
        ref={bubble}
        popover="manual"
        aria-hidden
        style={{ positionAnchor: anchor }}
        className={`hangs ${beside ? 'hangs-beside' : ''} max-w-72 rounded-control bg-tooltip px-2 py-1 text-caption font-medium text-on-tooltip`}
      >
        {text}
      </span>
    </span>
  )
}
