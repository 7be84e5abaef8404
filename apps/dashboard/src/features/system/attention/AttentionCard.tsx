import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Fragment, useId } from 'react'

import { ATTENTION_REASONS } from '../../../api/payments.ts'
import { useFollow } from '../../../lib/navigation/navigate.ts'
import { paths } from '../../../lib/paths.ts'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import type { AttentionItem, AttentionReasons } from './attention-items.ts'
import { useAttention } from './useAttention.ts'

/** What needs attention, as the bell has it, each with the way to where it is seen to; one line when there is nothing. */
export function AttentionCard({ projectId }: { projectId: string }) {
  const id = useId()
  const { items, isKnown } = useAttention(projectId)
  if (items.length === 0) {
    return isKnown ? (
      <p className="text-body text-muted">
        <Trans>Nothing needs attention.</Trans>
      </p>
    ) : null
  }
  return (
    <section
      aria-labelledby={id}
      className="rounded-card border border-border bg-surface px-edge py-3 shadow-card sm:px-5"
    >
      <div className="flex flex-wrap items-baseline gap-x-5 gap-y-1">
        <h2 id={id} className="text-body font-semibold">
          <Trans>Needs attention</Trans>
        </h2>
        <ul className="flex min-w-0 flex-wrap items-baseline gap-x-5 gap-y-1 max-sm:w-full max-sm:flex-col max-sm:gap-y-2">
          {items.map((item) => (
            <Item key={item.id} item={item} projectId={projectId} />
          ))}
        </ul>
      </div>
    </section>
  )
}

function Item({ item, projectId }: { item: AttentionItem; projectId: string }) {
  const follow = useFollow()
  const { href, tone, title, text, kind, reasons } = item
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-2">
      <a
        href={href}
        onClick={follow}
        title={text}
        className="inline-flex max-w-full min-h-6 shrink-0 items-center rounded-full whitespace-nowrap hover:underline coarse:min-h-11"
      >
        <StatusBadge tone={tone} word={title} />
      </a>
      {reasons && <Reasons projectId={projectId} reasons={reasons} />}
      {kind === 'alarm' && <span className="min-w-0 text-dense break-words text-muted max-sm:basis-full">{text}</span>}
    </li>
  )
}

/** "3 short · 2 over · 2 late", each the way to exactly those. */
function Reasons({ projectId, reasons }: { projectId: string; reasons: AttentionReasons }) {
  const { short, over, late } = reasons
  const all = [
    { key: 'short', count: short, text: plural(short, { one: '# short', other: '# short' }) },
    { key: 'over', count: over, text: plural(over, { one: '# over', other: '# over' }) },
    { key: 'late', count: late, text: plural(late, { one: '# late', other: '# late' }) },
  ] as const
  const shown = all.filter(({ count }) => count > 0)
  return (
    <span className="text-dense text-muted" role="group" aria-label={t`Of these`}>
      {shown.map(({ key, text }, index) => (
        <Fragment key={key}>
          {index > 0 && ' · '}
          <TextLink href={paths.payments({ projectId }, { status: ATTENTION_REASONS[key] })}>{text}</TextLink>
        </Fragment>
      ))}
    </span>
  )
}
