import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { useRef } from 'react'

import { unmatchedQuery } from '../../../api/deposits.ts'
import { useCan } from '../../../api/me.ts'
import { attentionCountQuery } from '../../../api/payments.ts'
import { count } from '../../../lib/text/format.ts'
import { useFollow } from '../../../lib/navigation/navigate.ts'
import { stringifySearch, useSearchState } from '../../../lib/navigation/search.ts'
import { useFadedEdges } from '../../../ui/actions/useFadedEdges.ts'
import { BUILT_IN, isChanged, type OwnView, searchOf, type View, viewName, viewOf } from './payment-views.ts'
import { useSavedViews } from './useOwnViews.ts'
import { ViewActions } from './ViewActions.tsx'

const VIEW =
  'relative inline-flex items-center gap-1.5 rounded-t-control px-2 py-2.5 text-dense font-medium whitespace-nowrap text-muted outline-offset-[-2px] hover:text-ink aria-[current]:text-ink aria-[current]:after:absolute aria-[current]:after:inset-x-1.5 aria-[current]:after:bottom-0 aria-[current]:after:h-0.5 aria-[current]:after:rounded-full aria-[current]:after:bg-accent-text sm:px-2.5 sm:text-body'

/** Ways to look at the payments: those everybody has, the operator's own, and money that found no payment. */
export function PaymentViews({ projectId }: { projectId: string }) {
  const can = useCan()
  const follow = useFollow()
  const [search] = useSearchState()
  const pathname = useLocation({ select: (location) => location.pathname })
  const own = useSavedViews()
  const mayReadDeposits = can('deposit:read', projectId)
  const { data: unmatched } = useQuery({ ...unmatchedQuery(projectId, { limit: 1 }), enabled: mayReadDeposits })
  const { data: inNeed = 0 } = useQuery({ ...attentionCountQuery(projectId), enabled: can('payment:read', projectId) })
  const isUnmatched = search.view === 'unmatched' && mayReadDeposits
  const current = viewOf(search, own.views)
  const row = useRef<HTMLElement>(null)
  const fade = useFadedEdges(row, isUnmatched ? 'unmatched' : current.id)
  const isOther = isChanged(current, search, own.layoutOf(current))
  const link = (
    label: string,
    values: Record<string, string | undefined>,
    isCurrent: boolean,
    { waiting = 0, shared }: { waiting?: number; shared?: OwnView['shared'] } = {},
  ) => (
    <a
      key={label}
      href={pathname + stringifySearch(values)}
      onClick={follow}
      aria-current={isCurrent ? 'page' : undefined}
      className={VIEW}
    >
      {isCurrent && isOther && !isUnmatched ? `${label}*` : label}
      {shared !== undefined && (
        <Users size={13} strokeWidth={1.75} role="img" aria-label={sharedText(shared.by)} className="shrink-0" />
      )}
      {waiting > 0 && (
        <span className="inline-flex h-5 min-w-5 items-center justify-center rounded-full border border-danger-border bg-danger-tint px-1.5 text-caption font-semibold text-danger-text tabular-nums">
          {count(waiting)}
        </span>
      )}
    </a>
  )
  return (
    <div className="mb-4 flex items-center gap-2 border-b border-border">
      <nav
        ref={row}
        aria-label={t`Views`}
        className={`flex min-w-0 flex-1 overflow-x-auto [scrollbar-width:none] ${fade}`}
      >
        {[...BUILT_IN, ...own.views].map((view: View & Pick<Partial<OwnView>, 'shared'>) =>
          link(viewName(view), searchOf(view, search), !isUnmatched && view.id === current.id, {
            ...(view.id === 'attention' && { waiting: inNeed }),
            ...(view.shared && { shared: view.shared }),
          }),
        )}
        {mayReadDeposits &&
          link(t`Unmatched`, { projectId: search.projectId, view: 'unmatched' }, isUnmatched, {
            waiting: unmatched?.total ?? 0,
          })}
      </nav>
      {!isUnmatched && <ViewActions view={current} own={own} path={pathname} projectId={projectId} />}
    </div>
  )
}

function sharedText(by: string | undefined): string {
  return by === undefined ? t`shared` : t`shared by ${by}`
}
