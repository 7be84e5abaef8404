import { t } from '@lingui/core/macro'

import { Card } from '../../../ui/places/Card.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'

/** The chain families that take no deposits yet, and why: the same for all of them. */
export function UnavailableCard({ names }: { names: readonly string[] }) {
  return (
    <Card
      title={t`Other networks`}
      text={t`This version derives deposit addresses for EVM networks and Bitcoin only.`}
      actions={<StatusBadge tone="neutral" word={t`Not available`} />}
    >
      <ul aria-label={t`Other networks`} className="-my-2 divide-y divide-border">
        {names.map((name) => (
          <li key={name} className="py-2 text-body">
            {name}
          </li>
        ))}
      </ul>
    </Card>
  )
}
