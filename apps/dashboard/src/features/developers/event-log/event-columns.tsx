import type { FeedEvent } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'

import { shortReference } from '../../../lib/text/short-reference.ts'
import { Amount } from '../../../ui/facts/Amount.tsx'
import { TruncatedName } from '../../../ui/facts/TruncatedName.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import type { StatusBadgeProps } from '../../../ui/facts/StatusBadge.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { ClockTime } from '../../../ui/time/ClockTime.tsx'

/** How the state that a message tells is drawn; undefined where the name on the wire says all there is. */
export type BadgeOf = (payload: FeedEvent['payload']) => StatusBadgeProps | undefined

/** Returns the columns of the event log. */
export function eventColumns(badgeOf: BadgeOf): Column<FeedEvent>[] {
  return [
    { key: 'type', label: t`Event`, card: 'title', cell: ({ type }) => type },
    {
      key: 'status',
      label: t`State`,
      card: 'badge',
      cell: ({ payload }) => <State payload={payload} badgeOf={badgeOf} />,
    },
    {
      key: 'customer',
      label: t`Customer`,
      shrink: 3,
      grows: true,
      cell: ({ payload }) => <TruncatedName name={customerOf(payload)} />,
    },
    {
      key: 'amount',
      label: t`Amount`,
      align: 'end',
      cell: ({ payload }) => <Dollars value={payload['amount_in_usd']} />,
    },
    {
      key: 'payment',
      label: t`Payment`,
      shrink: 2,
      cell: ({ payload }) => <Reference text={payload['reference_id']} />,
    },
    {
      key: 'sequence',
      label: t`Sequence`,
      align: 'end',
      card: 'none',
      shrink: 1,
      cell: ({ sequence }) => sequence ?? '–',
    },
    { key: 'created', label: t`Happened`, card: 'foot', cell: ({ createdAt }) => <ClockTime at={createdAt} /> },
  ]
}

function State({ payload, badgeOf }: { payload: FeedEvent['payload']; badgeOf: BadgeOf }) {
  const badge = badgeOf(payload)
  return badge === undefined ? textOf(payload['status']) : <StatusBadge {...badge} />
}

function Dollars({ value }: { value: unknown }) {
  return typeof value === 'string' ? <Amount value={value} currency="USD" /> : '–'
}

function Reference({ text }: { text: unknown }) {
  return typeof text === 'string' ? <code title={text}>{shortReference(text)}</code> : '–'
}

function customerOf({ customer_email: email, customer_id: id }: FeedEvent['payload']): string {
  return typeof email === 'string' ? email : textOf(id)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '–'
}
