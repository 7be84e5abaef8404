import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'

/** The keys of the palette, for who has some. */
export function PaletteFoot() {
  return (
    <p className="flex gap-4 border-t border-border px-4 py-2 text-caption text-muted max-sm:hidden coarse:hidden">
      <Hint keys={['↑', '↓']}>
        <Trans>Choose</Trans>
      </Hint>
      <Hint keys={['↵']}>
        <Trans>Open it</Trans>
      </Hint>
      <Hint keys={['Esc']}>
        <Trans>Close</Trans>
      </Hint>
    </p>
  )
}

function Hint({ keys, children }: { keys: readonly string[]; children: ReactNode }) {
  return (
    <span className="flex items-center gap-1">
      {keys.map((key) => (
        <kbd key={key} className="rounded-chip border border-border bg-sunken px-1 font-mono">
          {key}
        </kbd>
      ))}
      {children}
    </span>
  )
}
