import type { Campaign } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'

import { dayWords } from '../../../lib/time/date-spans.ts'
import { TimeRemaining } from '../../../ui/time/TimeRemaining.tsx'

/** From when to when a campaign counts, and how much of it is left. */
export function Period({ campaign: { startDate, endDate } }: { campaign: Pick<Campaign, 'startDate' | 'endDate'> }) {
  if (startDate === null || endDate === null) return t`No end`
  const [from, to] = [dayWords(startDate), dayWords(endDate)]
  return (
    <span className="flex flex-col">
      <span>{t`${from} to ${to}`}</span>
      <span className="text-dense text-muted">
        <TimeRemaining until={endDate} />
      </span>
    </span>
  )
}
