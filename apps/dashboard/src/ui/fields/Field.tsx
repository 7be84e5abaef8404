import { t } from '@lingui/core/macro'
import { CircleAlert } from 'lucide-react'
import { useId } from 'react'
import type { ReactNode } from 'react'

/** What a control inside a field must carry so that its label, hint and error reach everyone. */
export type ControlProps = {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
  readonly 'aria-required': true | undefined
}

export type FieldFrameProps = {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  /** Its error comes without the focus moving there: it is read out as it appears. */
  readonly isErrorSpoken?: boolean
  /** Marks a field that may not stay empty; a form knows it of its fields. */
  readonly isRequired?: boolean | undefined
  /** Content at the far end of the label's line, such as a link. */
  readonly aside?: ReactNode
  readonly children: (control: ControlProps) => ReactNode
}

/** Label above, control, hint below; an error takes the hint's place. */
export function Field({ label, hint, error, isRequired = false, isErrorSpoken, aside, children }: FieldFrameProps) {
  const id = useId()
  const noteId = `${id}-note`
  const hasNote = error !== undefined || hint !== undefined
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <span className="text-body font-medium">
          <label htmlFor={id}>{label}</label>
          {isRequired && (
            <span aria-hidden title={t`Required`} className="ms-1 text-danger-text">
              *
            </span>
          )}
        </span>
        {aside}
      </div>
      {children({
        id,
        'aria-describedby': hasNote ? noteId : undefined,
        'aria-invalid': error === undefined ? undefined : true,
        'aria-required': isRequired ? true : undefined,
      })}
      {error !== undefined && (
        <p
          id={noteId}
          role={isErrorSpoken === true ? 'alert' : undefined}
          className="flex items-start gap-1.5 text-dense text-danger-text"
        >
          <CircleAlert aria-hidden size={16} strokeWidth={1.75} className="mt-0.5 shrink-0" />
          {error}
        </p>
      )}
      {error === undefined && hint !== undefined && (
        <p id={noteId} className="text-dense text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}

/** The edge of every control: darker under the pointer, the focus ring when it is inside, red when it was refused. */
export const CONTROL_EDGE =
  'flex w-full items-center rounded-control border border-border-control bg-surface transition-colors duration-[120ms] hover:border-border-control-hover focus-within:border-focus focus-within:outline-2 focus-within:outline-offset-0 focus-within:outline-focus has-aria-invalid:border-danger-solid has-[input:read-only]:bg-sunken'

/** The box of every one-line control: 36 px, 44 and 16 px text for fingers. */
export const CONTROL_BOX = `${CONTROL_EDGE} h-9 text-body coarse:h-11 coarse:text-field`

/** The control inside the box; the box shows the focus for it. */
export const CONTROL =
  'h-full w-full min-w-0 flex-1 rounded-control bg-transparent px-3 outline-none focus-visible:outline-none'
