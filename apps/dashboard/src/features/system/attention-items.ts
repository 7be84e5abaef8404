import type { Alarm } from '@kassa/contract/alarms/schemas.ts'
import { plural, t } from '@lingui/core/macro'

import { ALARM_WORDS, alarmLink } from './alarm-words.ts'
import type { Tone } from '../../ui/tones.ts'

/** One thing that needs a hand, and the screen that shows exactly that. */
export type AttentionItem = {
  /** The same thing has the same id; a thing that grew has another, and is news again. */
  readonly id: string
  readonly tone: Tone
  readonly title: string
  readonly text: string
  readonly href: string
}

export type AttentionFacts = {
  readonly projectId: string
  readonly alarms: readonly Alarm[]
  /** Deposits that found no payment or are held. */
  readonly unmatched: number
}

/** Returns what needs a hand, money first. */
export function attentionItems({ projectId, alarms, unmatched }: AttentionFacts): AttentionItem[] {
  const money: AttentionItem[] =
    unmatched === 0
      ? []
      : [
          {
            id: `unmatched ${projectId} ${unmatched}`,
            tone: 'warning',
            title: plural(unmatched, { one: '# deposit to decide about', other: '# deposits to decide about' }),
            text: t`Money that found no payment, or is on hold.`,
            href: `/project/${encodeURIComponent(projectId)}/payments/allPayments?view=unmatched`,
          },
        ]
  const rest = alarms.map((alarm) => ({
    id: `alarm ${alarm.id}`,
    tone: ALARM_WORDS[alarm.kind].tone,
    title: t(ALARM_WORDS[alarm.kind].word),
    text: alarm.text,
    href: alarmLink(alarm)?.href ?? '/settings/system',
  }))
  return [...money, ...rest]
}
