import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

export type FormChanges = {
  readonly form: RefObject<HTMLFormElement | null>
  readonly onChange: () => void
  /** Whether somebody has changed what the form holds, and not changed it back. */
  readonly isChanged: () => boolean
}

/** Watches what a person fills into a form; what the page itself puts there before them does not count. */
export function useFormChanges(): FormChanges {
  const form = useRef<HTMLFormElement>(null)
  const isTouched = useRef(false)
  const start = useRef('')
  useEffect(() => {
    if (!isTouched.current) start.current = contentOf(form.current)
  })
  return {
    form,
    onChange: () => {
      isTouched.current = true
    },
    isChanged: () => isTouched.current && contentOf(form.current) !== start.current,
  }
}

function contentOf(form: HTMLFormElement | null): string {
  return JSON.stringify([...(form?.elements ?? [])].map(valueOf))
}

function valueOf(element: Element): unknown {
  if (element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type)) return element.checked
  return 'value' in element ? element.value : undefined
}
