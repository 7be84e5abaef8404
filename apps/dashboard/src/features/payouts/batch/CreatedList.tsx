import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { payeeName, payoutBadge } from '../../../labels/payout-labels.ts'
import { paths } from '../../../lib/paths.ts'
import { assetAmount, shortAddress } from '../../../lib/text/format.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { LinkButton } from '../../../ui/actions/LinkButton.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { Card } from '../../../ui/places/Card.tsx'

export type CreatedListProps = {
  readonly projectId: string
  readonly payouts: readonly Withdrawal[]
  readonly onAgain: () => void
}

/** The payouts that were just requested, and where to follow them. */
export function CreatedList({ projectId, payouts, onAgain }: CreatedListProps) {
  const waiting = payouts.filter(({ status }) => status === 'pending-approval').length
  return (
    <Card title={plural(payouts.length, { one: '# payout requested', other: '# payouts requested' })}>
      <div className="flex flex-col gap-4">
        <p role="status" className="text-body text-muted">
          {waiting === 0
            ? t`No approval is needed. They are sent next.`
            : plural(waiting, { one: '# needs approval.', other: '# need approval.' })}
        </p>
        <ul aria-label={t`Requested payouts`} className="flex flex-col divide-y divide-border">
          {payouts.map((payout) => (
            <li key={payout.id} className="flex flex-wrap items-center justify-between gap-2 py-2 text-body">
              <span>
                {t`${assetAmount(payout.amount, payout.currencyCode)} to ${payeeName(payout) ?? shortAddress(payout.toAddress)}`}
                <span className="text-muted"> · {payout.clientReference}</span>
              </span>
              <StatusBadge {...payoutBadge(payout)} />
            </li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2">
          <LinkButton
            kind="primary"
            href={waiting === 0 ? paths.payouts({ projectId }) : paths.approvals({ projectId })}
          >
            {waiting === 0 ? <Trans>Show payouts</Trans> : <Trans>Open approvals</Trans>}
          </LinkButton>
          <Button onClick={onAgain}>
            <Trans>Another file</Trans>
          </Button>
        </div>
      </div>
    </Card>
  )
}
