import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { payeeName, payoutBadge, payoutWait } from '../../../labels/payout-labels.ts'
import { paths } from '../../../lib/paths.ts'
import { shortAddress } from '../../../lib/text/format.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { LinkButton } from '../../../ui/actions/LinkButton.tsx'
import { Amount } from '../../../ui/facts/Amount.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { Card } from '../../../ui/places/Card.tsx'

/** The state of a payout that was just requested, and where to follow it. */
export function CreatedPayout({ payout, onAgain }: { payout: Withdrawal; onAgain: () => void }) {
  const wait = payoutWait(payout)
  const to = payeeName(payout) ?? shortAddress(payout.toAddress)
  return (
    <Card>
      <div role="status" className="flex flex-col gap-3">
        <p className="flex flex-wrap items-center gap-3 text-h2 font-semibold">
          <Amount value={payout.amount} currency={payout.currencyCode} usd={payout.amountInUSD ?? undefined} />
          <StatusBadge {...payoutBadge(payout)} />
        </p>
        <p className="text-body text-muted">{t`To ${to}.`}</p>
        {wait !== undefined && <p className="text-body">{wait}</p>}
        <div className="flex flex-wrap gap-2">
          <LinkButton kind="primary" href={paths.payouts({ open: String(payout.id) })}>
            <Trans>Follow it</Trans>
          </LinkButton>
          <Button onClick={onAgain}>
            <Trans>Another payout</Trans>
          </Button>
        </div>
      </div>
    </Card>
  )
}
