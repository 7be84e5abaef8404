import { useRef, useState } from 'react'
import type { KeyboardEvent, MouseEvent, PointerEvent } from 'react'

import { type Extent, type Reading, readingAfter } from './rules/chart-keys.ts'

export type ReadingOptions = {
  readonly extent: Extent
  /** The position of the pointer, from the left and the top edge of the marks. */
  readonly at: (x: number, y: number) => Reading
  /** Goes to what is behind a point. */
  readonly onEnter: ((reading: Reading) => void) | undefined
  /** Told which point is read, so that a chart beside it marks the same. */
  readonly onPoint?: ((point: number | undefined) => void) | undefined
}

/** What of a chart is read, by pointer, finger and keys. */
export function useReading({ extent, at, onEnter, onPoint }: ReadingOptions) {
  const [state, setState] = useState<{ readonly reading: Reading; readonly isByKey: boolean }>()
  /** A finger that opens the reading does not follow the link below it; the next one on the same point does. */
  const isOpening = useRef(false)
  // Fewer points may have come since.
  const reading = state !== undefined && state.reading.point < extent.points ? state.reading : undefined
  const read = (next: Reading | undefined, isByKey: boolean) => {
    setState(next && { reading: next, isByKey })
    onPoint?.(next?.point)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return
    if (event.key === 'Escape' && reading !== undefined) {
      // The dialog around it stays.
      event.preventDefault()
      read(undefined, true)
    }
    if (event.key === 'Enter' && reading !== undefined) onEnter?.(reading)
    const next = readingAfter(event.key, reading, extent)
    if (next === undefined) return
    event.preventDefault()
    read(next, true)
  }
  const under = ({ currentTarget, clientX, clientY }: PointerEvent | MouseEvent) => {
    const { left, top } = currentTarget.getBoundingClientRect()
    return at(clientX - left, clientY - top)
  }
  return {
    reading,
    /** Only what keys lead to is spoken. */
    spoken: state?.isByKey === true ? reading : undefined,
    ofChart: { onKeyDown, onBlur: () => read(undefined, false) },
    ofMarks: {
      onPointerDown: (event: PointerEvent) => {
        const next = under(event)
        isOpening.current = event.pointerType === 'touch' && next.point !== reading?.point
        read(next, false)
      },
      onPointerMove: (event: PointerEvent) => {
        if (event.pointerType === 'touch') return
        const next = under(event)
        if (next.point !== reading?.point || next.series !== reading.series) read(next, false)
      },
      onPointerLeave: (event: PointerEvent) => {
        if (event.pointerType !== 'touch') read(undefined, false)
      },
      onClick: (event: MouseEvent) => {
        if (isOpening.current) event.preventDefault()
        isOpening.current = false
      },
    },
  }
}
