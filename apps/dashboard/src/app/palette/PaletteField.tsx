import { t } from '@lingui/core/macro'
import { Search, X } from 'lucide-react'
import type { InputHTMLAttributes, RefObject } from 'react'

import { IconButton } from '../../ui/actions/IconButton.tsx'
import { Spinner } from '../../ui/feedback/Spinner.tsx'

export type PaletteFieldProps = {
  readonly text: string
  readonly onText: (text: string) => void
  readonly isBusy: boolean
  readonly onClose: () => void
  readonly input?: RefObject<HTMLInputElement | null>
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'className'>

/** The field of the palette; the owner of the results passes the controlled id and the keys. */
export function PaletteField({ text, onText, isBusy, onClose, input, ...rest }: PaletteFieldProps) {
  return (
    <div className="flex h-13 shrink-0 items-center gap-3 border-b border-border ps-4 pe-2">
      <Search aria-hidden size={18} strokeWidth={1.75} className="shrink-0 text-muted" />
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
      {isBusy && (
        <span className="px-2">
          <Spinner />
        </span>
      )}
      {/* Where the palette fills the screen there is no backdrop to press, and no Escape on a phone. */}
      <span className="sm:hidden">
        <IconButton label={t`Close`} icon={<X aria-hidden strokeWidth={1.75} />} onClick={onClose} />
      </span>
    </div>
  )
}
