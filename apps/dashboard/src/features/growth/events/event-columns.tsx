import type { EventLogRow, ReferralEvent } from '@kassa/contract/referral/schemas.ts'
import { plural, t } from '@lingui/core/macro'

import { eventLogBadge } from '../../../labels/growth/referral-states.ts'
import { failureText, outcomeText } from '../../../labels/growth-labels.ts'
import { usd } from '../../../lib/text/format.ts'
import { None } from '../../../ui/facts/None.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { TruncatedName } from '../../../ui/facts/TruncatedName.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'
import { eventName, eventTypeWord } from '../words/event-types.ts'

/** What a list of events shows of each. */
export function eventColumns(): Column<ReferralEvent>[] {
  return [
    {
      key: 'key',
      label: t`Key`,
      card: 'title',
      cell: ({ key }) => <span className="font-mono text-dense">{key}</span>,
    },
    {
      key: 'name',
      label: t`Name`,
      card: 'line',
      grows: true,
      cell: (event) => <TruncatedName name={eventName(event)} />,
    },
    { key: 'type', label: t`Type`, card: 'badge', cell: ({ eventType }) => eventTypeWord(eventType) },
    {
      key: 'used',
      label: t`Used in`,
      card: 'foot',
      cell: ({ campaignCount }) => plural(campaignCount, { one: '# campaign', other: '# campaigns' }),
    },
    { key: 'project', label: t`Project`, card: 'none', shrink: 1, cell: ({ project }) => project },
  ]
}

/** What a list of reported events shows of each: what became of it. */
export function eventLogColumns({ hasKey }: { hasKey: boolean }): Column<EventLogRow>[] {
  return [
    {
      key: 'customer',
      label: t`Customer`,
      card: 'title',
      grows: true,
      cell: ({ memberEmail, memberReferenceID }) => <TruncatedName name={memberEmail ?? memberReferenceID ?? ''} />,
    },
    ...(hasKey ? [{ key: 'event', label: t`Event`, card: 'line' as const, cell: keyOf }] : []),
    {
      key: 'amount',
      label: t`Amount`,
      card: 'line',
      cardLabel: true,
      align: 'end',
      cell: ({ amount }) => (amount === null ? <None /> : usd(amount)),
    },
    { key: 'state', label: t`State`, card: 'badge', cell: (row) => <StatusBadge {...eventLogBadge(row.status)} /> },
    { key: 'result', label: t`Result`, card: 'line', cell: (row) => <Result row={row} /> },
    { key: 'at', label: t`Time`, card: 'foot', shrink: 1, cell: ({ triggeredAt }) => <TimeAgo at={triggeredAt} /> },
  ]
}

function keyOf({ eventKey }: EventLogRow): string {
  return eventKey
}

function Result({ row }: { row: EventLogRow }) {
  const failure = failureText(row)
  if (failure !== undefined) return <span className="whitespace-normal text-muted">{failure}</span>
  if (row.uses.length === 0) return <None />
  return (
    <ul className="flex min-w-44 flex-col gap-1 py-2 text-dense whitespace-normal">
      {row.uses.map((use) => (
        <li key={use.campaignID}>
          <span className="font-medium">{use.name}</span> <span className="text-muted">{outcomeText(use)}</span>
        </li>
      ))}
    </ul>
  )
}
