import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'

import { unmatchedQuery } from '../../api/deposits.ts'
import { useCan } from '../../api/me.ts'
import { count } from '../../lib/format.ts'
import { useFollow } from '../../lib/navigate.ts'
import { stringifySearch, useSearchState } from '../../lib/search.ts'
import { ATTENTION } from './payment-filter.ts'

const VIEW =
  'relative inline-flex items-center gap-1.5 rounded-t-control px-1.5 py-2.5 sm:px-3 text-dense sm:text-body font-medium whitespace-nowrap text-muted outline-offset-[-2px] hover:text-ink aria-[current]:text-ink aria-[current]:after:absolute aria-[current]:after:inset-x-1 sm:after:inset-x-2 aria-[current]:after:bottom-0 aria-[current]:after:h-0.5 aria-[current]:after:rounded-full aria-[current]:after:bg-accent-text'

/** Ways to look at the payments: all, those a person should look at, and money that found none. */
export function PaymentViews({ projectId }: { projectId: string }) {
  const can = useCan()
  const follow = useFollow()
  const [{ view, status, projectId: listed }] = useSearchState()
  const pathname = useLocation({ select: (location) => location.pathname })
  const mayReadDeposits = can('deposit:read', projectId)
  const { data: unmatched } = useQuery({ ...unmatchedQuery(projectId, { limit: 1 }), enabled: mayReadDeposits })
  const isUnmatched = view === 'unmatched' && mayReadDeposits
  const isAttention = !isUnmatched && status === ATTENTION
  const link = (label: string, search: Record<string, string>, isCurrent: boolean, waiting = 0) => (
    <a
      href={pathname + stringifySearch({ projectId: listed, ...search })}
      onClick={follow}
      aria-current={isCurrent ? 'page' : undefined}
      className={VIEW}
    >
      {label}
      {waiting > 0 && (
        <span className="inline-flex h-5 min-w-5 items-center justify-center rounded-full border border-danger-border bg-danger-tint px-1.5 text-caption font-semibold text-danger-text tabular-nums">
          {count(waiting)}
        </span>
      )}
    </a>
  )
  return (
    <nav aria-label="Views" className="mb-4 flex overflow-x-auto sm:gap-1 border-b border-border">
      {link('Payments', {}, !isUnmatched && !isAttention)}
      {link('Needs attention', { status: ATTENTION }, isAttention)}
      {mayReadDeposits && link('Unmatched', { view: 'unmatched' }, isUnmatched, unmatched?.total ?? 0)}
    </nav>
  )
}
