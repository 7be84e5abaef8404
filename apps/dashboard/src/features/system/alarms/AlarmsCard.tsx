import type { Alarm } from '@kassa/contract/alarms/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { alarmsQuery } from '../../../api/system.ts'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'
import { ALARM_WORDS, alarmLink, alarmSubject } from './alarm-kinds.ts'
import { HealthCard } from '../health/HealthCard.tsx'
import { useAlarmText } from './useAlarmText.ts'

/** What needs a person now: what is wrong, since when, and where to act. */
export function AlarmsCard() {
  const alarms = useQuery(alarmsQuery)
  const textOf = useAlarmText(alarms.data ?? [])
  return (
    <HealthCard title={t`Alarms`} loading={t`Loading Alarms`} failed={t`Alarms couldn’t be loaded`} answer={alarms}>
      {(open) =>
        open.length === 0 ? (
          <p className="flex items-start gap-2 text-body">
            <span aria-hidden className="font-bold text-success-solid">
              ✓
            </span>
            <Trans>Nothing needs you.</Trans>
          </p>
        ) : (
          <ul aria-label={t`Open alarms`} className="-my-1 flex flex-col divide-y divide-border">
            {open.map((alarm) => (
              <AlarmRow key={alarm.id} alarm={alarm} text={textOf(alarm)} />
            ))}
          </ul>
        )
      }
    </HealthCard>
  )
}

function AlarmRow({ alarm, text }: { alarm: Alarm; text: string }) {
  const { tone, word } = ALARM_WORDS[alarm.kind]
  const link = alarmLink(alarm)
  const subject = alarmSubject(alarm, text)
  return (
    <li className="flex flex-col gap-1.5 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatusBadge tone={tone} word={t(word)} wire={alarm.kind} />
        {subject !== undefined && <span className="min-w-0 font-medium break-words">{subject}</span>}
        <span className="ms-auto text-dense text-muted">
          <TimeAgo at={alarm.since} />
        </span>
      </div>
      <p className="max-w-[80ch] text-body break-words">
        {text} {link !== undefined && <TextLink href={link.href}>{link.label}</TextLink>}
      </p>
    </li>
  )
}
