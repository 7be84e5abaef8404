import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { useFollow } from '../../../lib/navigation/navigate.ts'
import { Card } from '../../../ui/places/Card.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import type { AttentionItem } from './attention-items.ts'
import { useAttention } from './useAttention.ts'

/** What needs attention, as the bell has it, each with the way to where it is seen to; one line when there is nothing. */
export function AttentionCard({ projectId }: { projectId: string }) {
  const { items, isKnown } = useAttention(projectId)
  if (items.length === 0) {
    return isKnown ? (
      <p className="text-body text-muted">
        <Trans>Nothing needs attention.</Trans>
      </p>
    ) : null
  }
  return (
    <Card title={t`Needs attention`}>
      <ul className="-mx-2 -my-2">
        {items.map((item) => (
          <Item key={item.id} item={item} />
        ))}
      </ul>
    </Card>
  )
}

function Item({ item: { href, tone, title, text } }: { item: AttentionItem }) {
  const follow = useFollow()
  return (
    <li>
      <a
        href={href}
        onClick={follow}
        className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 rounded-control px-2 py-2 hover:bg-hover"
      >
        <StatusBadge tone={tone} word={title} />
        <span className="min-w-0 flex-1 basis-52 text-body break-words text-muted">{text}</span>
      </a>
    </li>
  )
}
