import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLocation } from '@tanstack/react-router'
import { CircleCheck, CircleDollarSign, SearchX } from 'lucide-react'

import { paths } from '../../../lib/paths.ts'
import { ALL_PROJECTS } from '../../../lib/navigation/current-project.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { filterText, without } from '../../../ui/filters/filter-fields.ts'
import type { FilterField } from '../../../ui/filters/filter-fields.ts'
import { LinkButton } from '../../../ui/actions/LinkButton.tsx'
import { EMPTY_VIEWS } from '../views/empty-views.ts'
import { narrowedBy } from '../views/payment-filter.ts'
import { usePaymentFields } from '../views/useFilterFields.ts'
import { isAsItIs, viewOf } from '../views/payment-views.ts'
import { useSavedViews } from '../views/useOwnViews.ts'

/** Why the list of payments is empty: there is none yet, or none matches the filter. */
export function NoPayments({ projectId, canCreate }: { projectId: string; canCreate: boolean }) {
  const [search] = useSearchState()
  const set = narrowedBy(usePaymentFields(projectId), search)
  const view = viewOf(search, useSavedViews().views)
  const emptyView = EMPTY_VIEWS[view.id]
  if (emptyView !== undefined && isAsItIs(view, search)) return <NothingInView title={t(emptyView)} />
  if (search.query || set.length > 0) return <NoMatch projectId={projectId} set={set} />
  return (
    <EmptyState
      icon={<CircleDollarSign aria-hidden strokeWidth={1.75} />}
      title={t`No payments yet`}
      text={t`Create a link and send it to a customer.`}
      action={
        canCreate ? (
          <LinkButton href={paths.createPayment({ projectId })}>
            <Trans>Create payment link</Trans>
          </LinkButton>
        ) : undefined
      }
    />
  )
}

/** A view that is empty by its nature has nothing to drop. */
function NothingInView({ title }: { title: string }) {
  const pathname = useLocation({ select: (location) => location.pathname })
  return (
    <EmptyState
      icon={<CircleCheck aria-hidden strokeWidth={1.75} />}
      title={title}
      action={
        <LinkButton href={pathname}>
          <Trans>Show all payments</Trans>
        </LinkButton>
      }
    />
  )
}

/** Says what to drop. */
function NoMatch({ projectId, set }: { projectId: string; set: readonly FilterField[] }) {
  const [search, setSearch] = useSearchState()
  const { query } = search
  const everywhere = paths.payments({ projectId: ALL_PROJECTS }, { ...search, projectId: undefined, cursor: undefined })
  return (
    <EmptyState
      icon={<SearchX aria-hidden strokeWidth={1.75} />}
      title={t`No payment matches.`}
      text={t`Remove a filter to see more.`}
      action={
        <>
          {query && (
            <Button onClick={() => setSearch({ query: undefined, cursor: undefined })}>
              <Trans>Clear search</Trans>
            </Button>
          )}
          {set.map((field) => (
            <Button key={field.key} onClick={() => setSearch(without([field]))}>
              {dropText(field, search[field.key])}
            </Button>
          ))}
        </>
      }
      second={
        projectId === ALL_PROJECTS ? undefined : (
          <LinkButton kind="quiet" href={everywhere}>
            <Trans>Search all projects</Trans>
          </LinkButton>
        )
      }
    />
  )
}

/** "Drop Status: Paid, Overpaid". */
function dropText(field: FilterField, value: string | undefined): string {
  const { label } = field
  const narrowedTo = filterText(field, value)
  return t`Drop ${label}: ${narrowedTo}`
}
