import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'

import { meQuery } from '../../../api/me.ts'
import { usePayoutChanges } from '../../../api/payouts.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { payeeName, payoutType, payoutWait, payoutWaitNext } from '../../../labels/payout-labels.ts'
import { assetAmount, shortAddress } from '../../../lib/text/format.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Address } from '../../../ui/facts/Address.tsx'
import { Amount } from '../../../ui/facts/Amount.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'
import { approvedText, decisionFailure } from '../decisions/decision-texts.ts'
import { RejectDialog } from '../decisions/EndDialogs.tsx'
import { approvalObstacle } from '../decisions/who-may.ts'
import { creatorOf } from '../list/payout-columns.tsx'

export type ApprovalCardProps = {
  readonly payout: Withdrawal
  readonly mayDecide: boolean
  /** Called before the card disappears: the focus moves to the next card. */
  readonly onDecided: () => void
}

/** One payout that waits for approvals, unshortened; what changed since it was first shown is marked. */
export function ApprovalCard({ payout, mayDecide, onDecided }: ApprovalCardProps) {
  const [seen] = useState(payout)
  const titleId = useId()
  const hasChanged = seen.digest !== payout.digest
  const amount = assetAmount(payout.amount, payout.currencyCode)
  const to = payeeName(payout) ?? shortAddress(payout.toAddress)
  const next = payoutWaitNext(payout)
  return (
    <article
      aria-labelledby={titleId}
      className="flex flex-col gap-3 rounded-card border border-border bg-surface p-4 shadow-card"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 id={titleId} className="text-h3 font-semibold">
          <span className="sr-only">{t`${amount} to ${to}`}</span>
          <span aria-hidden>
            <Amount value={payout.amount} currency={payout.currencyCode} usd={payout.amountInUSD ?? undefined} full />
            {' → '}
            {to} · {networkName(payout.blockchainCode)}
          </span>
        </h3>
        <span className="text-dense text-muted">
          {payoutWait(payout)} · <TimeAgo at={payout.createdAt} />
        </span>
      </div>
      {hasChanged && (
        <p role="alert" className="text-body font-medium text-warning-text">
          <Trans>It has changed since you opened this page: the word check is another one.</Trans>
        </p>
      )}
      {next !== undefined && <p className="text-body font-medium text-warning-text">{next}</p>}
      <Address value={payout.toAddress} full />
      <p className="text-body text-muted">{aboutText(payout)}</p>
      <p className="text-body">
        <Trans>
          Word check: <strong>{payout.words}</strong>
        </Trans>
      </p>
      {mayDecide ? <Decide payout={payout} onDecided={onDecided} /> : <WhyNot payout={payout} />}
    </article>
  )
}

/** "Refund, requested by op@example.com, “October invoice”, 4 payouts before" */
function aboutText(payout: Withdrawal): string {
  const known = plural(payout.earlierPayouts, {
    0: 'first payout to this address',
    one: 'known, # payout before',
    other: 'known, # payouts before',
  })
  const by = creatorOf(payout)
  return [payoutType(payout), t`requested by ${by}`, ...(payout.note === '' ? [] : [`“${payout.note}”`]), known].join(
    ' · ',
  )
}

function Decide({ payout, onDecided }: { payout: Withdrawal; onDecided: () => void }) {
  const { approve } = usePayoutChanges()
  const { data: me } = useQuery(meQuery)
  const [sending, setSending] = useState(false)
  const [isRejecting, setIsRejecting] = useState(false)
  const [failure, setFailure] = useState<string>()
  const press = async () => {
    setFailure(undefined)
    setSending(true)
    try {
      toast.success(approvedText(await approve(payout.id, payout.digest)))
      onDecided()
    } catch (thrown) {
      setFailure(decisionFailure(thrown))
    } finally {
      setSending(false)
    }
  }
  const hasPasskey = me?.secondFactor.methods.includes('passkey') === true
  return (
    <>
      {failure !== undefined && (
        <p role="alert" className="text-body text-danger-text">
          {failure}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2 max-sm:flex-col-reverse">
        <Button onClick={() => setIsRejecting(true)} disabled={sending}>
          <Trans>Reject</Trans>
        </Button>
        <span data-approve-of={payout.id} className="contents">
          <Button kind="primary" loading={sending} onClick={() => void press()}>
            {hasPasskey ? t`Approve with passkey` : t`Approve`}
          </Button>
        </span>
      </div>
      {isRejecting && <RejectDialog payout={payout} onClose={() => setIsRejecting(false)} />}
    </>
  )
}

function WhyNot({ payout }: { payout: Withdrawal }) {
  const { data: me } = useQuery(meQuery)
  const why = me && approvalObstacle(payout, me.id)
  if (why === undefined) return null
  return <p className="text-dense text-muted">{why}</p>
}
