import { CircleDollarSign, SearchX } from 'lucide-react'

import { ALL_PROJECTS } from '../../lib/current-project.ts'
import { stringifySearch, useSearchState } from '../../lib/search.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { isNarrowed, STATUS_CHIPS, statusesOf, toggledStatus } from './payment-filter.ts'

/** Why the list of payments is empty: nobody has paid yet, or the filter fits nothing. */
export function NoPayments({ projectId, canCreate }: { projectId: string; canCreate: boolean }) {
  const [search] = useSearchState()
  if (isNarrowed(search)) return <NoMatch projectId={projectId} />
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
function NoMatch({ projectId }: { projectId: string }) {
  const [search, setSearch] = useSearchState()
  const drop = (patch: Record<string, string | undefined>) => setSearch({ ...patch, cursor: undefined })
  const chosen = STATUS_CHIPS.filter(({ value }) => statusesOf(search.status).includes(value))
  const everywhere = `/project/${ALL_PROJECTS}/payments/allPayments${stringifySearch({ ...search, projectId: undefined, cursor: undefined })}`
  return (
    <EmptyState
      icon={<SearchX aria-hidden strokeWidth={1.75} />}
      title="No payment matches"
      text="Drop a part of the filter to see more."
      action={
        <>
          {search.query && <Button onClick={() => drop({ query: undefined })}>Drop “{search.query}”</Button>}
          {chosen.map(({ value, label }) => (
            <Button key={value} onClick={() => drop({ status: toggledStatus(search.status, value) })}>
              Drop {label}
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
