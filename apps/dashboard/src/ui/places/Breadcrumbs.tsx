import { t } from '@lingui/core/macro'
import { ChevronRight } from 'lucide-react'

import { useFollow } from '../../lib/navigation/navigate.ts'

export type Crumb = { readonly label: string; readonly href?: string }

/** Where this page stands; below 640 only the last step is drawn. */
export function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  const follow = useFollow()
  return (
    <nav aria-label={t`Breadcrumb`} className="min-w-0 flex-1">
      <ol className="flex min-w-0 items-center gap-1 text-body text-muted">
        {crumbs.map(({ label, href }, at) => {
          const isLast = at === crumbs.length - 1
          return (
            <li key={`${at}-${label}`} className={`flex min-w-0 items-center gap-1 ${isLast ? '' : 'max-sm:hidden'}`}>
              {at > 0 && (
                <ChevronRight aria-hidden size={14} className="shrink-0 opacity-60 max-sm:hidden rtl:-scale-x-100" />
              )}
              {href === undefined || isLast ? (
                <span
                  aria-current={isLast ? 'page' : undefined}
                  className={`truncate ${isLast ? 'font-medium text-ink' : ''}`}
                >
                  {label}
                </span>
              ) : (
                <a href={href} onClick={follow} className="truncate rounded-chip hover:text-ink">
                  {label}
                </a>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
