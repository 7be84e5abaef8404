import type { Alarm } from '@kassa/contract/alarms/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { paths } from '../../../lib/paths.ts'
import type { Tone } from '../../../ui/feedback/tones.ts'
import { ALARM_WORDS, alarmLink } from '../alarms/alarm-kinds.ts'
import { backupDueText, backupDueTitle } from '../upkeep/backup-texts.ts'

/** One thing that needs attention, and the screen that shows exactly that. */
export type AttentionItem = {
  /** The same thing has the same id, however much it holds. */
  readonly id: string
  readonly kind: 'payouts' | 'payments' | 'deposits' | 'sweeps' | 'backup' | 'alarm'
  readonly tone: Tone
  readonly title: string
  readonly text: string
  readonly href: string
  /** How many payments, deposits or alarms it stands for. */
  readonly count: number
  /** Why payments need it. */
  readonly reasons?: AttentionReasons
}

/** How many of the payments that need attention are short, over and late. */
export type AttentionReasons = { readonly short: number; readonly over: number; readonly late: number }

export type AttentionFacts = {
  readonly projectId: string
  readonly alarms: readonly Alarm[]
  /** Deposits that found no payment or are held. */
  readonly unmatched: number
  /** Payments that need attention. */
  readonly payments: number
  readonly reasons?: AttentionReasons | undefined
  /** Payouts that wait for the approval of this operator. */
  readonly payouts?: number
  /** Sweeps that failed lately. */
  readonly sweeps?: number
  /** A backup is due; the moment that the newest one holds, null where there is none. */
  readonly backup?: { readonly lastTakenAt: Date | null } | undefined
}

/** Returns what needs attention, money first. */
export function attentionItems({
  projectId,
  alarms,
  unmatched,
  payments,
  reasons,
  payouts = 0,
  sweeps = 0,
  backup,
}: AttentionFacts): AttentionItem[] {
  const listed = (view: 'attention' | 'unmatched', waiting: number, title: string, text: string): AttentionItem[] =>
    waiting === 0
      ? []
      : [
          {
            id: `${view} ${projectId}`,
            kind: view === 'attention' ? ('payments' as const) : ('deposits' as const),
            tone: 'warning' as const,
            title,
            text,
            href: paths.payments({ projectId }, { view }),
            count: waiting,
            ...(view === 'attention' && reasons !== undefined && { reasons }),
          },
        ]
  const inNeed = plural(payments, { one: '# payment needs attention', other: '# payments need attention' })
  const toPlace = plural(unmatched, { one: '# deposit to decide about', other: '# deposits to decide about' })
  const money = [
    ...payoutsToApprove(projectId, payouts),
    ...listed(
      'attention',
      payments,
      inNeed,
      t`Partly paid, overpaid, late, on hold, reopened, or your shop was not notified.`,
    ),
    ...listed('unmatched', unmatched, toPlace, t`Deposits that match no payment, or are on hold.`),
    ...failedSweeps(projectId, sweeps),
  ]
  const rest = alarms.map((alarm) => ({
    id: `alarm ${alarm.id}`,
    kind: 'alarm' as const,
    tone: ALARM_WORDS[alarm.kind].tone,
    title: t(ALARM_WORDS[alarm.kind].word),
    text: alarm.text,
    href: alarmLink(alarm)?.href ?? paths.systemHealth(),
    count: 1,
  }))
  return [...money, ...rest, ...dueBackup(backup)]
}

function payoutsToApprove(projectId: string, count: number): AttentionItem[] {
  if (count === 0) return []
  return [
    {
      id: `payouts ${projectId}`,
      kind: 'payouts',
      tone: 'warning',
      title: plural(count, { one: '# payout waits for your approval', other: '# payouts wait for your approval' }),
      text: t`Money leaves only after you have looked at it.`,
      href: paths.approvals({ projectId }),
      count,
    },
  ]
}

function failedSweeps(projectId: string, count: number): AttentionItem[] {
  if (count === 0) return []
  return [
    {
      id: `sweeps ${projectId}`,
      kind: 'sweeps',
      tone: 'danger',
      title: plural(count, { one: '# sweep failed', other: '# sweeps failed' }),
      text: t`Its deposits stay on their addresses; nothing is lost.`,
      href: paths.sweeps({ tabId: 'History', status: 'failed' }),
      count,
    },
  ]
}

function dueBackup(backup: AttentionFacts['backup']): AttentionItem[] {
  if (backup === undefined) return []
  return [
    {
      id: 'backup due',
      kind: 'backup',
      tone: 'warning',
      title: backupDueTitle(backup.lastTakenAt, new Date()),
      text: backupDueText(backup.lastTakenAt),
      href: paths.systemHealth(),
      count: 1,
    },
  ]
}

/** What is about the install: the same in every project. */
const OF_INSTALL: ReadonlySet<string> = new Set(['alarm', 'backup'])

/** Returns what was read, now that it is all that stands here; what was read of other projects stays so. */
export function nowRead(lines: string, projectId: string, items: readonly AttentionItem[]): string {
  const elsewhere = lines.split('\n').filter((line) => {
    const [kind = '', of] = line.split(' ')
    // Of the install, what is not among the items is over.
    return kind !== '' && !OF_INSTALL.has(kind) && of !== projectId
  })
  return [...elsewhere, ...items.map(({ id, count }) => `${id} ${count}`)].join('\n')
}

/**
 * Returns what stays read: of what stands here no more than there is of it now. What comes after something was seen to is news,
 * though there may have been as much before.
 */
export function stillRead(lines: string, projectId: string, items: readonly AttentionItem[]): string {
  const counts = new Map(items.map(({ id, count }) => [id, count]))
  const left = lines.split('\n').flatMap((line) => {
    const end = line.lastIndexOf(' ')
    const id = line.slice(0, end)
    const [kind = '', of] = id.split(' ')
    if (!OF_INSTALL.has(kind) && of !== projectId) return [line]
    const count = Math.min(Number(line.slice(end + 1)), counts.get(id) ?? 0)
    return count > 0 ? [`${id} ${count}`] : []
  })
  return left.join('\n')
}

/** Tells what was read: a line for each thing with how much it then held. One that has grown since is news again. */
export function readBefore(lines: string): (item: Pick<AttentionItem, 'id' | 'count'>) => boolean {
  const counts = new Map(
    lines.split('\n').map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
  return ({ id, count }) => count <= (counts.get(id) ?? 0)
}
