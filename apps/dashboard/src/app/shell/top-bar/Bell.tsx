import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Bell as BellIcon } from 'lucide-react'
import { useEffect } from 'react'

import {
  type AttentionItem,
  nowRead,
  readBefore,
  stillRead,
} from '../../../features/system/attention/attention-items.ts'
import { useAttention } from '../../../features/system/attention/useAttention.ts'
import { useCurrentProject } from '../../../lib/navigation/current-project.ts'
import { useFollow } from '../../../lib/navigation/navigate.ts'
import { useStored, writeStored } from '../../../lib/device/stored.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'

const READ = 'bellRead'
const MOST = 99

/** What needs attention, each with the way to where it is seen to; what was read is remembered on this device. */
export function Bell() {
  const { id: projectId } = useCurrentProject()
  const { items, isKnown } = useAttention(projectId)
  const read = useStored(READ) ?? ''
  const isRead = readBefore(read)
  const left = isKnown ? stillRead(read, projectId, items) : read
  useEffect(() => {
    if (left !== read) writeStored(READ, left)
  }, [left, read])
  // The figure is that of the list it leads to, not how many kinds of matters there are.
  const unread = items.reduce((sum, { id, count }) => (isRead({ id, count }) ? sum : sum + count), 0)
  const shown = unread > MOST ? `${MOST}+` : String(unread)
  return (
    <div>
      <span className="relative inline-flex">
        <IconButton
          label={labelOf(shown, unread, isKnown || items.length > 0)}
          icon={<BellIcon aria-hidden strokeWidth={1.75} />}
          popoverTarget="bell"
        />
        {unread > 0 && (
          <span
            aria-hidden
            className="pointer-events-none absolute -end-0.5 -top-0.5 inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-full border border-warning-border bg-warning-tint px-1 text-caption leading-none font-medium text-warning-text tabular-nums"
          >
            {shown}
          </span>
        )}
      </span>
      <div
        id="bell"
        popover="auto"
        className="hangs hangs-end max-h-[70dvh] w-[min(380px,calc(100vw-2rem))] overflow-y-auto rounded-card border border-border bg-raised p-1.5 text-ink shadow-menu"
      >
        <div className="flex min-h-9 items-center justify-between gap-2 px-2.5">
          <p className="text-body font-semibold">
            <Trans>Needs attention</Trans>
          </p>
          {unread > 0 && (
            <Button kind="quiet" size="small" onClick={() => writeStored(READ, nowRead(read, projectId, items))}>
              <Trans>Mark all as read</Trans>
            </Button>
          )}
        </div>
        {items.length === 0 ? (
          <p className="px-2.5 pt-1 pb-4 text-body text-muted">
            {isKnown ? (
              <Trans>
                Nothing needs attention. Payments and deposits that wait for a decision, and alarms, appear here.
              </Trans>
            ) : (
              <Trans>What needs attention is not known: it could not be fetched yet.</Trans>
            )}
          </p>
        ) : (
          <ul aria-label={t`Needs attention`}>
            {items.map((item) => (
              <Item key={item.id} item={item} isNew={!isRead(item)} />
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

/** “Nothing” is only said of what was read. */
function labelOf(shown: string, unread: number, isKnown: boolean): string {
  if (unread > 0) return t`Needs attention: ${shown} new`
  return isKnown ? t`Needs attention: nothing new` : t`Needs attention: not known`
}

function Item({ item, isNew }: { item: AttentionItem; isNew: boolean }) {
  const follow = useFollow()
  return (
    <li>
      <a
        href={item.href}
        onClick={(event) => {
          follow(event)
          event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover?.()
        }}
        className="flex flex-col gap-1 rounded-control px-2.5 py-2 outline-none hover:bg-hover focus-visible:outline-2 focus-visible:outline-offset-[-2px] focus-visible:outline-focus"
      >
        <span className="flex items-center gap-2">
          <StatusBadge tone={item.tone} word={item.title} />
          {isNew && (
            <span className="text-caption text-muted">
              {t({ message: 'New', comment: 'a notice that was not read yet' })}
            </span>
          )}
        </span>
        <span className="text-dense break-words text-muted">{item.text}</span>
      </a>
    </li>
  )
}
