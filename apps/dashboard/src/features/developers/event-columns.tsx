import type { FeedEvent } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'

import { shortReference } from '../../lib/short-reference.ts'
import type { Column } from '../../ui/table-columns.ts'
import { TimeAgo } from '../../ui/TimeAgo.tsx'

/** Returns the columns of the event log. */
export function eventColumns(): Column<FeedEvent>[] {
  return [
    { key: 'type', label: t`Event`, card: 'title', cell: ({ type }) => type },
    { key: 'payment', label: t`Payment`, cell: ({ payload }) => <Reference text={payload.reference_id} /> },
    { key: 'status', label: t`State`, cell: ({ payload }) => textOf(payload.status) },
    { key: 'sequence', label: t`Sequence`, align: 'end', card: 'none', cell: ({ sequence }) => sequence ?? '–' },
    { key: 'created', label: t`Happened`, card: 'foot', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  ]
}

function Reference({ text }: { text: unknown }) {
  return typeof text === 'string' ? <code title={text}>{shortReference(text)}</code> : '–'
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '–'
}
