import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { BookCheck, BookX, TriangleAlert } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'

import { attentionQuery } from '../../../api/attention.ts'
import { ledgerCheckQuery } from '../../../api/ledger.ts'
import { useCan } from '../../../api/me.ts'
import { paths } from '../../../lib/paths.ts'
import { isCheckOld } from '../../../lib/books.ts'
import { useCurrentProject } from '../../../lib/navigation/current-project.ts'
import { useFollow } from '../../../lib/navigation/navigate.ts'
import { useNow } from '../../../lib/time/ticker.ts'
import { ageText } from '../../../lib/time/time.ts'
import { Tooltip } from '../../../ui/feedback/Tooltip.tsx'

const SYSTEM = paths.systemHealth()

/** The foot of the menu: what needs a person, and whether the books balance. Each only for those who may read it. */
export function SidebarFoot({ isCollapsed }: { isCollapsed: boolean }) {
  const can = useCan()
  const mayOpen = can('system:read')
  const mayRead = can('ledger:read')
  if (!mayOpen && !mayRead) return null
  return (
    <div
      className={`shrink-0 border-t border-border py-2 ${isCollapsed ? 'flex flex-col items-center gap-1' : 'px-3'}`}
    >
      {mayOpen && <Alarms isCollapsed={isCollapsed} />}
      {mayRead && <Books isCollapsed={isCollapsed} mayOpen={mayOpen} />}
    </div>
  )
}

function Alarms({ isCollapsed }: { isCollapsed: boolean }) {
  const { id: projectId } = useCurrentProject()
  const { data } = useQuery(attentionQuery(projectId))
  const alarms = data?.alarms?.count ?? 0
  if (alarms === 0) return null
  const isMany = alarms > 99
  const shown = isMany ? '99+' : String(alarms)
  const few = plural(alarms, { one: '# alarm needs you', other: '# alarms need you' })
  return (
    <Line
      isCollapsed={isCollapsed}
      icon={TriangleAlert}
      tone="warning"
      text={isMany ? t`99+ alarms need you` : few}
      badge={shown}
      href={SYSTEM}
    />
  )
}

function Books({ isCollapsed, mayOpen }: { isCollapsed: boolean; mayOpen: boolean }) {
  const { data, isError } = useQuery(ledgerCheckQuery)
  const checkedAt = data?.checkedAt
  const age = useNow((now) => (checkedAt === undefined ? '' : ageText(checkedAt, now)))
  const isOld = useNow((now) => checkedAt !== undefined && isCheckOld(checkedAt, now))
  const href = mayOpen ? SYSTEM : undefined
  if (data === undefined) {
    const text = isError ? t`Books: no answer` : t`Books …`
    return <Line isCollapsed={isCollapsed} icon={BookCheck} tone="quiet" text={text} href={href} />
  }
  const note = t`checked ${age} ago`
  if (!data.ok) {
    return (
      <Line
        isCollapsed={isCollapsed}
        icon={BookX}
        tone="danger"
        text={t`Books don’t balance`}
        note={note}
        href={href}
      />
    )
  }
  const tone = isOld ? 'warning' : 'quiet'
  return <Line isCollapsed={isCollapsed} icon={BookCheck} tone={tone} text={t`Books balance`} note={note} href={href} />
}

const TONES = {
  quiet: { line: 'text-muted hover:bg-hover hover:text-ink', icon: 'text-success-solid', badge: '' },
  warning: {
    line: 'text-warning-text hover:bg-hover',
    icon: 'text-warning-solid',
    badge: 'border-warning-border bg-warning-tint text-warning-text',
  },
  danger: {
    line: 'bg-danger-tint text-danger-text',
    icon: 'text-danger-solid',
    badge: 'border-danger-border bg-danger-tint text-danger-text',
  },
} as const

type LineProps = {
  readonly isCollapsed: boolean
  readonly icon: LucideIcon
  readonly tone: keyof typeof TONES
  readonly text: string
  readonly note?: string
  readonly badge?: string
  readonly href: string | undefined
}

function Line({ isCollapsed, icon: Icon, tone, text, note, badge, href }: LineProps) {
  const follow = useFollow()
  const look = TONES[tone]
  const name = note === undefined ? text : `${text}, ${note}`
  const box = `flex items-center gap-2.5 rounded-control text-dense font-medium tabular-nums ${look.line} ${isCollapsed ? 'relative size-10 justify-center' : 'min-h-8 px-2.5 py-1 coarse:min-h-11'}`
  const chip = `inline-flex h-5 min-w-5 items-center justify-center rounded-full border px-1 text-caption ${look.badge}`
  const content = (
    <>
      <Icon aria-hidden size={18} strokeWidth={1.75} className={`shrink-0 ${look.icon}`} />
      {!isCollapsed && (
        <span className="min-w-0 flex-1 break-words">
          {text}
          {note !== undefined && (
            <>
              <span className="sr-only">, </span>
              <span className="block text-caption font-normal">{note}</span>
            </>
          )}
        </span>
      )}
      {badge !== undefined && (
        <span aria-hidden className={isCollapsed ? `absolute -end-0.5 -top-0.5 ${chip}` : chip}>
          {badge}
        </span>
      )}
    </>
  )
  const line =
    href === undefined ? (
      <div className={box}>
        {content}
        {isCollapsed && <span className="sr-only">{name}</span>}
      </div>
    ) : (
      <a href={href} onClick={follow} aria-label={isCollapsed ? name : undefined} className={box}>
        {content}
      </a>
    )
  if (!isCollapsed) return line
  return (
    <Tooltip text={name} beside>
      {line}
    </Tooltip>
  )
}
