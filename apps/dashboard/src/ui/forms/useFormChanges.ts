import { useCallback, useEffect, useRef, useState } from 'react'
import type { RefCallback } from 'react'

import type { DiscardDialogProps } from './DiscardDialog.tsx'

export type FormChangesOptions = {
  /** The dialog holds work beside its fields, such as a step that is done. */
  readonly holdsMore?: boolean
  /** Nothing it holds would be lost: the server has it, or it is typed again at once. */
  readonly isSafe?: boolean
  readonly onClose: () => void
}

export type FormChanges = {
  /** Of the element that the fields are in. */
  readonly fields: RefCallback<HTMLElement>
  readonly onChange: () => void
  /** Closes the dialog, or asks first whether what was filled in may be lost. */
  readonly leave: () => void
  /** What the question is drawn from. */
  readonly question: DiscardDialogProps
}

/** Watches what a person fills into a dialog; what the page itself puts there before them does not count. */
export function useFormChanges({ holdsMore = false, isSafe = false, onClose }: FormChangesOptions): FormChanges {
  const place = useRef<HTMLElement>(null)
  const isTouched = useRef(false)
  const start = useRef('')
  const [isChanged, setChanged] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const fields = useCallback((element: HTMLElement | null) => {
    place.current = element
  }, [])
  /** Whether the values of the fields differ from the saved ones. */
  const compare = () => isTouched.current && contentOf(place.current) !== start.current
  useEffect(() => {
    if (!isTouched.current) start.current = contentOf(place.current)
  })
  const leave = () => {
    if (!isSafe && (holdsMore || compare())) setAsked(true)
    else onClose()
  }
  return {
    fields,
    onChange: () => {
      isTouched.current = true
      setChanged(compare())
    },
    leave,
    question: {
      isDirty: !isSafe && (holdsMore || isChanged),
      isAsked,
      onKeep: () => setAsked(false),
      onDiscard: onClose,
    },
  }
}

function contentOf(place: HTMLElement | null): string {
  return JSON.stringify([...(place?.querySelectorAll('input, select, textarea') ?? [])].map(valueOf))
}

function valueOf(field: Element): unknown {
  if (field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type)) return field.checked
  return 'value' in field ? field.value : undefined
}
