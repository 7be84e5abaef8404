import type { AuditEntry } from '@kassa/contract/audit/schemas.ts'
import { t } from '@lingui/core/macro'

import { deviceName } from '../../labels/people/device-name.ts'
import { listText } from '../../lib/text/list-text.ts'
import { StatusBadge } from '../../ui/facts/StatusBadge.tsx'
import { TruncatedName } from '../../ui/facts/TruncatedName.tsx'
import type { Column } from '../../ui/list/columns.ts'
import { ClockTime } from '../../ui/time/ClockTime.tsx'
import { eventTitle, resultBadge, whoOf } from './audit-words.ts'

/** Returns the columns of the audit log. */
export function auditColumns(): Column<AuditEntry>[] {
  return [
    { key: 'what', label: t`What`, card: 'title', cell: (entry) => <What entry={entry} /> },
    { key: 'when', label: t`When`, card: 'foot', cell: ({ createdAt }) => <ClockTime at={createdAt} /> },
    {
      key: 'who',
      label: t`Who`,
      card: 'line',
      grows: true,
      cell: (entry) => <TruncatedName name={whoOf(entry)} />,
    },
    {
      key: 'project',
      label: t`Project`,
      card: 'line',
      shrink: 2,
      cell: ({ externalPlatforms: projects }) =>
        projects.length === 0 ? '–' : <TruncatedName name={listText(projects.map(({ name }) => name))} widens />,
    },
    { key: 'result', label: t`Result`, card: 'badge', cell: (entry) => <StatusBadge {...resultBadge(entry)} /> },
    { key: 'from', label: t`From`, card: 'line', shrink: 1, cell: (entry) => <From entry={entry} /> },
  ]
}

/** A call without a name of its own is its path, which is longer than any name. */
function What({ entry }: { entry: AuditEntry }) {
  return <span className="block whitespace-normal wrap-anywhere sm:min-w-48">{eventTitle(entry)}</span>
}

function From({ entry: { ipAddress, userAgent } }: { entry: AuditEntry }) {
  if (ipAddress === '') return '–'
  return (
    <span className="whitespace-nowrap">
      <bdi dir="ltr">{ipAddress}</bdi> <span className="text-caption text-muted">{deviceName(userAgent)}</span>
    </span>
  )
}
