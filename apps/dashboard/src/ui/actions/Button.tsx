import type { MouseEvent, ReactNode, Ref } from 'react'
import { Spinner } from '../feedback/Spinner.tsx'
import { buttonClasses } from './button-classes.ts'
import type { ButtonKind, ButtonSize } from './button-classes.ts'

export type ButtonProps = {
  readonly children: ReactNode
  readonly kind?: ButtonKind
  readonly size?: ButtonSize
  readonly type?: 'button' | 'submit'
  /** Hides the label from the eye, keeps it as the name, ignores clicks. */
  readonly loading?: boolean
  /** Blocks clicks; the button can still be focused, and `title` says why. */
  readonly disabled?: boolean
  readonly title?: string
  readonly icon?: ReactNode
  readonly wide?: boolean
  readonly popoverTarget?: string
  readonly form?: string
  readonly onClick?: (event: MouseEvent<HTMLButtonElement>) => void
  readonly ref?: Ref<HTMLButtonElement>
}

/** The press of a screen: one primary per view, everything else quieter. */
export function Button({
  children,
  kind = 'secondary',
  size = 'medium',
  type = 'button',
  loading = false,
  disabled = false,
  title,
  icon,
  wide = false,
  popoverTarget,
  form,
  onClick,
  ref,
}: ButtonProps) {
  const blocked = loading || disabled
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (blocked) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      ref={ref}
      type={type}
      title={title}
      form={form}
      popoverTarget={popoverTarget}
      aria-busy={loading || undefined}
      aria-disabled={blocked || undefined}
      onClick={press}
      className={buttonClasses(kind, size, { disabled: disabled && !loading, wide })}
    >
      <span className={`inline-flex items-center gap-2 ${loading ? 'opacity-0' : ''}`}>
        {icon !== undefined && (
          <span aria-hidden className="-ms-0.5 inline-flex max-[20rem]:hidden [&>svg]:size-4">
            {icon}
          </span>
        )}
        {children}
      </span>
      {loading && (
        <span className="absolute inset-0 inline-flex items-center justify-center">
          <Spinner />
        </span>
      )}
    </button>
  )
}
