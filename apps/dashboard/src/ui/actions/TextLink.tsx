import { Trans } from '@lingui/react/macro'
import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'

import { useFollow } from '../../lib/navigation/navigate.ts'

export type TextLinkProps = {
  readonly href: string
  readonly children: ReactNode
  readonly newTab?: boolean
  /** Chosen instead of what is filled in on this page, which goes without a question. */
  readonly instead?: boolean
}

/** An underlined link in running text; a new tab is announced in its name. */
export function TextLink({ href, children, newTab, instead }: TextLinkProps) {
  const follow = useFollow()
  const tab = newTab === true ? { target: '_blank', rel: 'noreferrer' } : {}
  return (
    <a
      href={href}
      onClick={(event) => follow(event, undefined, instead)}
      {...tab}
      className="rounded-chip font-medium text-accent-text underline decoration-current/40 underline-offset-[3px] hover:decoration-current"
    >
      {children}
      {newTab === true && (
        <>
          <ExternalLink aria-hidden size={14} strokeWidth={1.75} className="ms-1 inline align-[-2px]" />
          <span className="sr-only">
            {' '}
            <Trans>(opens in a new tab)</Trans>
          </span>
        </>
      )}
    </a>
  )
}
