import { t } from '@lingui/core/macro'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import type { KeyboardEvent, ReactNode, Ref } from 'react'

import { CONTROL, CONTROL_BOX, Field } from './Field.tsx'

export type PasswordFieldProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onBlur?: () => void
  readonly name?: string
  readonly autoComplete: 'current-password' | 'new-password'
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly isRequired?: boolean
  readonly aside?: ReactNode
  readonly autoFocus?: boolean
  readonly ref?: Ref<HTMLInputElement>
}

/** A password with its own show and hide switch, its own error, and a word when Caps Lock is on. */
export function PasswordField(props: PasswordFieldProps) {
  const { label, value, onChange, hint, error, isRequired, aside, ref, ...rest } = props
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const Icon = shown ? EyeOff : Eye
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState?.('CapsLock') ?? false)
  return (
    <Field
      label={label}
      hint={capsLock ? t`Caps Lock is on.` : hint}
      error={error}
      isRequired={isRequired}
      aside={aside}
    >
      {(control) => (
        <div className={CONTROL_BOX}>
          <input
            {...control}
            {...rest}
            ref={ref}
            type={shown ? 'text' : 'password'}
            value={value}
            spellCheck={false}
            autoCapitalize="none"
            onChange={(event) => onChange(event.currentTarget.value)}
            onKeyUp={watchCapsLock}
            className={CONTROL}
          />
          <button
            type="button"
            aria-label={t`Show password`}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
            className="me-1 inline-flex size-7 shrink-0 items-center justify-center rounded-chip text-muted hover:bg-hover hover:text-ink coarse:size-9"
          >
            <Icon aria-hidden size={16} strokeWidth={1.75} />
          </button>
        </div>
      )}
    </Field>
  )
}
