import type { Recipient } from '@kassa/contract/recipients/schemas.ts'
import { t } from '@lingui/core/macro'

import { timeRemaining } from '../../lib/time/time.ts'
import type { StatusBadgeProps } from '../../ui/facts/StatusBadge.tsx'
import type { FilterOption } from '../../ui/filters/filter-fields.ts'

/** What the state of a recipient is called, and its tone. */
export function recipientBadge({ status, payableFrom }: Recipient, now: Date): StatusBadgeProps {
  if (status === 'blocked') return { tone: 'danger', word: t`Blocked`, wire: status }
  if (status === 'pending-otp-verification') return { tone: 'warning', word: t`Code needed`, wire: status }
  if (payableFrom !== null && payableFrom > now) {
    const left = timeRemaining(payableFrom, now)
    return { tone: 'info', word: t`Payable in ${left}`, wire: status }
  }
  return { tone: 'success', word: t`Active`, wire: status }
}

/** The states a list may be narrowed to. */
export function recipientStateOptions(): FilterOption[] {
  return [
    { value: 'active', label: t`Active` },
    { value: 'pending-otp-verification', label: t`Code needed` },
    { value: 'blocked', label: t`Blocked` },
  ]
}
