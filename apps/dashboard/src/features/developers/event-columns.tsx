import { msg } from '@lingui/core/macro'
import type { FeedEvent } from '@kassa/contract/webhooks/schemas.ts'

import { shortAddress } from '../../lib/format.ts'
import type { Column } from '../../ui/table-columns.ts'
import { TimeAgo } from '../../ui/TimeAgo.tsx'

/** The columns of the event log. */
export const EVENT_COLUMNS: readonly Column<FeedEvent>[] = [
  { key: 'type', label: msg`Event`, card: 'title', cell: ({ type }) => type },
  { key: 'payment', label: msg`Payment`, cell: ({ payload }) => <Reference text={payload.reference_id} /> },
  { key: 'status', label: msg`State`, cell: ({ payload }) => textOf(payload.status) },
  { key: 'sequence', label: msg`Sequence`, align: 'end', card: 'none', cell: ({ sequence }) => sequence ?? '–' },
  { key: 'created', label: msg`Happened`, card: 'foot', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
]

function Reference({ text }: { text: unknown }) {
  return typeof text === 'string' ? <code title={text}>{shortAddress(text, 6)}</code> : '–'
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '–'
}
