import { useId, useState } from 'react'
import type { ReactNode, ToggleEvent } from 'react'

/** What the button of a panel must be given. */
export type PopoverOpener = { readonly popoverTarget: string; readonly onClick: () => void }

export type PopoverProps = {
  readonly label: string
  readonly button: (opener: PopoverOpener) => ReactNode
  readonly children: (close: () => void) => ReactNode
  /** Lines the panel up with the far edge of its button. */
  readonly atEnd?: boolean
}

/** What takes the focus when a panel opens: the first that can be used. */
const FIELDS = ':is(input, select, textarea, button):not(:disabled, [aria-disabled=true])'

/** A button and a panel of fields that hangs from it. What is in the panel lives only while it is open. */
export function Popover({ label, button, children, atEnd = false }: PopoverProps) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const close = () => {
    document.getElementById(id)?.hidePopover?.()
    setIsOpen(false)
  }
  const onToggle = ({ newState, currentTarget }: ToggleEvent<HTMLElement>) => {
    if (newState === 'open') currentTarget.querySelector<HTMLElement>(FIELDS)?.focus()
    else setIsOpen(false)
  }
  return (
    <>
      {button({ popoverTarget: id, onClick: () => setIsOpen(true) })}
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        onToggle={onToggle}
        className={`hangs ${atEnd ? 'hangs-end' : ''} max-h-[min(32rem,80dvh)] w-[min(20rem,calc(100vw-2rem))] overflow-y-auto rounded-card border border-border bg-raised p-4 text-body text-ink shadow-menu`}
      >
        {isOpen && children(close)}
      </div>
    </>
  )
}
