import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { meQuery, useCan } from '../../../api/me.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { CopyButton } from '../../../ui/actions/CopyButton.tsx'
import { ApproveDialog } from './ApproveDialog.tsx'
import { CancelDialog, RejectDialog } from './EndDialogs.tsx'
import { proofOf } from './proof.ts'
import { RetryDialog } from './RetryDialog.tsx'
import { approvalObstacle, isDeadEnd, mayDecide } from './who-may.ts'

type Asked = 'approve' | 'reject' | 'cancel' | 'retry'

/** What an operator may do about a payout in its state; what is not possible says why. */
export function PayoutActions({ payout }: { payout: Withdrawal }) {
  const can = useCan()
  const { data: me } = useQuery(meQuery)
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const project = payout.externalPlatformID
  const { status } = payout
  const isMine = mayDecide(can, payout)
  const mayReject = status === 'pending-approval' && isMine
  const mayCancel = (status === 'pending-approval' || status === 'pending') && can('payout:cancel', project)
  const mayRetry = (status === 'sent' || status === 'initiated') && payout.waitReason === 'STUCK'
  const why = me && approvalObstacle(payout, me.id)
  return (
    <>
      {mayReject && !isDeadEnd(payout) && (
        <Button
          kind="primary"
          disabled={why !== undefined}
          {...(why !== undefined && { title: why })}
          onClick={() => setAsked('approve')}
        >
          <Trans>Approve</Trans>
        </Button>
      )}
      {mayReject && (
        <Button onClick={() => setAsked('reject')}>
          <Trans>Reject</Trans>
        </Button>
      )}
      {mayRetry && isMine && (
        <Button kind="primary" onClick={() => setAsked('retry')}>
          <Trans>Raise the fee</Trans>
        </Button>
      )}
      {mayCancel && (
        <Button onClick={() => setAsked('cancel')}>
          <Trans>Cancel payout</Trans>
        </Button>
      )}
      <CopyButton label={t`proof`} value={proofOf(payout)} />
      {asked === 'approve' && <ApproveDialog payout={payout} onClose={close} />}
      {asked === 'reject' && <RejectDialog payout={payout} onClose={close} />}
      {asked === 'cancel' && <CancelDialog payout={payout} onClose={close} />}
      {asked === 'retry' && <RetryDialog payout={payout} onClose={close} />}
    </>
  )
}
