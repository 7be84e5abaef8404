import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { Card } from '../../ui/Card.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'

export type UnavailableCardProps = {
  readonly name: string
  readonly blockchains: readonly Blockchain[]
}

/** A chain family that takes no deposits yet, and why. */
export function UnavailableCard({ name, blockchains }: UnavailableCardProps) {
  const reasons = new Set(blockchains.flatMap(({ reason }) => (reason === null ? [] : [reason])))
  return (
    <Card title={name} actions={<StatusBadge tone="neutral" word={t`Not available`} />}>
      <p className="text-body text-muted">
        <Trans>This version derives deposit addresses for EVM networks only.</Trans> {[...reasons].join(' ')}
      </p>
    </Card>
  )
}
