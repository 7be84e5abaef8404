import type { MouseEvent, ReactNode, Ref } from 'react'

import { Tooltip } from '../feedback/Tooltip.tsx'

export type IconButtonProps = {
  /** The button's name and its tooltip. */
  readonly label: string
  readonly icon: ReactNode
  readonly pressed?: boolean
  readonly expanded?: boolean
  readonly popoverTarget?: string
  readonly onClick?: (event: MouseEvent<HTMLButtonElement>) => void
  readonly ref?: Ref<HTMLButtonElement>
}

/** A square button of one icon, named by its label: 36 px, 44 for fingers. */
export function IconButton({ label, icon, pressed, expanded, popoverTarget, onClick, ref }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button
        ref={ref}
        type="button"
        aria-label={label}
        aria-pressed={pressed}
        aria-expanded={expanded}
        popoverTarget={popoverTarget}
        onClick={onClick}
        className="inline-flex size-[min(2.25rem,44px)] shrink-0 items-center justify-center rounded-control text-muted transition-colors duration-[120ms] hover:bg-hover hover:text-ink aria-pressed:bg-selected aria-pressed:text-ink coarse:size-[44px] [&>svg]:size-4.5"
      >
        {icon}
      </button>
    </Tooltip>
  )
}
