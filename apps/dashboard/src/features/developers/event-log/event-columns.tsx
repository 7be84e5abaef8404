import type { FeedEvent } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'

import { shortReference } from '../../../lib/text/short-reference.ts'
import { Address } from '../../../ui/facts/Address.tsx'
import { Amount } from '../../../ui/facts/Amount.tsx'
import { TruncatedName } from '../../../ui/facts/TruncatedName.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import type { StatusBadgeProps } from '../../../ui/facts/StatusBadge.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { ClockTime } from '../../../ui/time/ClockTime.tsx'

/** How the state in a message is drawn; undefined where its name on the wire is shown. */
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
      label: t`Customer or recipient`,
      shrink: 3,
      grows: true,
      cell: ({ payload }) => <Who payload={payload} />,
    },
    {
      key: 'amount',
      label: t`Amount`,
      align: 'end',
      cell: ({ payload }) => <Money payload={payload} />,
    },
    {
      key: 'payment',
      label: t`Payment`,
      shrink: 2,
      cell: ({ payload }) => <Reference text={payload['reference_id'] ?? dataOf(payload)['referenceOfPayment']} />,
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

function State({ payload, badgeOf }: Pick<FeedEvent, 'payload'> & { badgeOf: BadgeOf }) {
  const badge = badgeOf(payload)
  return badge === undefined ? textOf(payload['status'] ?? dataOf(payload)['status']) : <StatusBadge {...badge} />
}

/** The customer; of a payout the address that it goes to, of a reward who gets it. */
function Who({ payload }: Pick<FeedEvent, 'payload'>) {
  if (typeof payload['address'] === 'string') return <Address value={payload['address']} withCopy={false} />
  const { customer_email: email, customer_id: id } = payload
  const { rewardedMemberEmail, memberReferenceID } = dataOf(payload)
  const name = [email, id, rewardedMemberEmail, memberReferenceID].find((one) => typeof one === 'string')
  return <TruncatedName name={textOf(name)} />
}

/** In US dollars; a reward in the currency that it is paid in. */
function Money({ payload }: Pick<FeedEvent, 'payload'>) {
  const { amount, currencyCode = 'USD' } = dataOf(payload)
  const [value, currency] = [payload['amount_in_usd'] ?? amount, textOf(currencyCode)]
  return typeof value === 'string' ? <Amount value={value} currency={currency} /> : '–'
}

function Reference({ text }: { text: unknown }) {
  return typeof text === 'string' ? <code title={text}>{shortReference(text)}</code> : '–'
}

/** What messages about referrals and sweeps carry. */
function dataOf({ data }: FeedEvent['payload']): Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null ? { ...data } : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '–'
}
