import { CircleDollarSign, SearchX } from 'lucide-react'

import { ALL_PROJECTS } from '../../lib/current-project.ts'
import { stringifySearch, useSearchState } from '../../lib/search.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { filterText, without } from '../../ui/filters/filter-fields.ts'
import type { FilterField } from '../../ui/filters/filter-fields.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { narrowedBy } from './payment-filter.ts'
import { usePaymentFields } from './use-payment-fields.ts'

/** Why the list of payments is empty: nobody has paid yet, or the filter fits nothing. */
export function NoPayments({ projectId, canCreate }: { projectId: string; canCreate: boolean }) {
  const [search] = useSearchState()
  const set = narrowedBy(usePaymentFields(projectId), search)
  if (search.query || set.length > 0) return <NoMatch projectId={projectId} set={set} />
  return (
    <EmptyState
      icon={<CircleDollarSign aria-hidden strokeWidth={1.75} />}
      title="No payments yet"
      text="Create a link and send it to a customer."
      action={
        canCreate ? (
          <LinkButton href={`/project/${projectId}/payments/createPaymentLink`}>Create payment link</LinkButton>
        ) : undefined
      }
    />
  )
}

/** Says what to drop. */
function NoMatch({ projectId, set }: { projectId: string; set: readonly FilterField[] }) {
  const [search, setSearch] = useSearchState()
  const everywhere = `/project/${ALL_PROJECTS}/payments/allPayments${stringifySearch({ ...search, projectId: undefined, cursor: undefined })}`
  return (
    <EmptyState
      icon={<SearchX aria-hidden strokeWidth={1.75} />}
      title="No payment matches."
      text="Drop a part of the filter to see more."
      action={
        <>
          {search.query && (
            <Button onClick={() => setSearch({ query: undefined, cursor: undefined })}>Drop “{search.query}”</Button>
          )}
          {set.map((field) => (
            <Button key={field.key} onClick={() => setSearch(without([field]))}>
              Drop {field.label}: {filterText(field, search[field.key])}
            </Button>
          ))}
        </>
      }
      second={
        projectId === ALL_PROJECTS ? undefined : (
          <LinkButton kind="quiet" href={everywhere}>
            Search all projects
          </LinkButton>
        )
      }
    />
  )
}
