import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'

import { LinkButton } from '../../ui/actions/LinkButton.tsx'

export type SetupLineProps = {
  readonly title: string
  readonly fact: string
  readonly isDone: boolean
  readonly isNeeded?: boolean
  /** The step to take now: its press is the loud one. */
  readonly isNext?: boolean
  readonly href?: string
  readonly action?: string
  /** A press of its own, instead of the way to another page. */
  readonly children?: ReactNode
}

/** One step: done or not, one fact, one press. */
export function SetupLine({ title, fact, isDone, isNeeded, isNext, href, action, children }: SetupLineProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2.5 py-3">
      <span
        className={`inline-flex size-6 shrink-0 items-center justify-center self-start rounded-full border sm:self-center ${isDone ? 'border-accent-edge bg-accent text-on-accent' : 'border-border-control bg-surface'}`}
      >
        {isDone && <Check aria-hidden size={14} strokeWidth={2.5} />}
        <span className="sr-only">{isDone ? t`Done:` : t`To do:`}</span>
      </span>
      <div className="min-w-0 flex-1 basis-44">
        <p className={isDone ? 'text-muted' : 'font-medium'}>
          {title}
          {isNeeded === true && !isDone && (
            <span className="font-normal text-muted">
              {' '}
              <Trans>· needed</Trans>
            </span>
          )}
        </p>
        <p className="text-dense text-muted">{fact}</p>
      </div>
      <div className="ms-9 flex flex-wrap gap-2 empty:hidden sm:ms-0">
        {children}
        {href !== undefined && action !== undefined && !isDone && (
          <LinkButton href={href} kind={isNext === true ? 'primary' : 'secondary'} size="small">
            {action}
          </LinkButton>
        )}
      </div>
    </li>
  )
}
