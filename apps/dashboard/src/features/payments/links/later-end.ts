import { t } from '@lingui/core/macro'

import type { LaterEnd } from '../../../api/payments.ts'
import { momentOf } from '../../../lib/time/time-zone.ts'
import type { RadioOption } from '../../../ui/fields/RadioGroup.tsx'

const MINUTE_MS = 60_000

/** Returns the ends that can be chosen for a link: those after its own, and a time. */
export function laterEnds(expiresAt: Date, now: Date): RadioOption[] {
  const spans = [
    { value: '60', label: t`1 hour` },
    { value: '1440', label: t`24 hours` },
    { value: '10080', label: t`7 days` },
  ]
  const isLater = ({ value }: RadioOption) => now.getTime() + Number(value) * MINUTE_MS > expiresAt.getTime()
  return [...spans.filter(isLater), { value: 'time', label: t`Another time` }]
}

/** Returns what is sent for a choice; undefined while the time is not typed. */
export function laterEnd({ choice, time }: { readonly choice: string; readonly time: string }): LaterEnd | undefined {
  if (choice !== 'time') return { expiresInMinutes: Number(choice) }
  // The field names a time of the operator's clock.
  const typed = new Date(`${time}Z`)
  return Number.isNaN(typed.getTime()) ? undefined : { expiresAt: momentOf(typed).toISOString() }
}
