import { useEffect, useRef } from 'react'

/**
 * Gives the focus to the row of the payment that was shown last when its drawer closes: also to one that was gone on to,
 * and when the page was opened with the drawer.
 */
export function useReturnToRow(reference: string): void {
  const shown = useRef(reference)
  useEffect(() => {
    shown.current = reference
  }, [reference])
  useEffect(
    () => () => {
      // The drawer first gives the focus back to what had it before.
      setTimeout(() => {
        if (document.querySelector('dialog[open]') !== null) return
        document.querySelector<HTMLElement>(`a[data-row="${CSS.escape(shown.current)}"]`)?.focus()
      })
    },
    [],
  )
}
