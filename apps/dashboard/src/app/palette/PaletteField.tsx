import { t } from '@lingui/core/macro'
import type { InputHTMLAttributes, RefObject } from 'react'

import { Spinner } from '../../ui/Spinner.tsx'

export type PaletteFieldProps = {
  readonly text: string
  readonly onText: (text: string) => void
  readonly isBusy: boolean
  readonly input?: RefObject<HTMLInputElement | null>
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'className'>

/** The field of the palette; what it controls and its keys are told by whoever has the results. */
export function PaletteField({ text, onText, isBusy, input, ...rest }: PaletteFieldProps) {
  return (
    <div className="flex h-11 items-center gap-2 rounded-control border border-border-control px-3 focus-within:outline-2 focus-within:outline-focus">
      <input
        aria-label={t`Search or command`}
        autoComplete="off"
        spellCheck={false}
        placeholder={t({
          message: 'Page, payment, “charge 49 a@example.com”',
          comment: '“charge” is typed as it is, in every language',
        })}
        {...rest}
        ref={input}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        className="h-full min-w-0 flex-1 bg-transparent text-body outline-none focus-visible:outline-none coarse:text-field"
      />
      {isBusy && <Spinner />}
    </div>
  )
}
