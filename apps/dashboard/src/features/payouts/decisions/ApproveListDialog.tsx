import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { addressGroups } from '@kassa/primitives/address-groups.ts'
import { plural, t } from '@lingui/core/macro'
import { useState } from 'react'

import { usePayoutChanges } from '../../../api/payouts.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { payeeName, payoutWaitNext } from '../../../labels/payout-labels.ts'
import { assetAmount } from '../../../lib/text/format.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { Checkbox } from '../../../ui/fields/Checkbox.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { approvedAllText, listFailure } from './decision-texts.ts'

export type ApproveListDialogProps = {
  readonly payouts: readonly Withdrawal[]
  readonly onClose: () => void
}

/** Shows the payouts to approve, unshortened, of which any can be left out; one confirmation then covers exactly the others. */
export function ApproveListDialog({ payouts, onClose }: ApproveListDialogProps) {
  const { approveAll } = usePayoutChanges()
  const [leftOut, setLeftOut] = useState<ReadonlySet<number>>(new Set())
  const [failure, setFailure] = useState<string>()
  // A message may bring others meanwhile: what was shown first is what is approved.
  const [shown] = useState(payouts)
  const chosen = shown.filter(({ id }) => !leftOut.has(id))
  const choose = (id: number, isIn: boolean) =>
    setLeftOut(new Set(isIn ? [...leftOut].filter((one) => one !== id) : [...leftOut, id]))
  const confirm = async () => {
    setFailure(undefined)
    try {
      toast.success(approvedAllText((await approveAll(chosen)).payouts))
      onClose()
    } catch (thrown) {
      setFailure(listFailure(thrown))
    }
  }
  return (
    <ConfirmDialog
      title={t`Approve these payouts?`}
      action={plural(chosen.length, { one: 'Approve # payout', other: 'Approve # payouts' })}
      keep={t`Not now`}
      danger={false}
      offReason={chosen.length === 0 ? t`Choose at least one payout` : undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p className="mb-3 text-body text-muted">{t`One confirmation covers them: all are approved, or none.`}</p>
      <ul aria-label={t`Payouts to approve`} className="flex max-h-80 flex-col gap-1 overflow-y-auto">
        {shown.map((payout) => (
          <li key={payout.id}>
            <Checkbox
              label={nameOf(payout)}
              hint={hintOf(payout)}
              checked={!leftOut.has(payout.id)}
              onChange={(isIn) => choose(payout.id, isIn)}
            />
          </li>
        ))}
      </ul>
      {failure !== undefined && (
        <p role="alert" className="mt-3 text-danger-text">
          {failure}
        </p>
      )}
    </ConfirmDialog>
  )
}

/** The whole address, and why the payout will wait although it is approved. */
function hintOf(payout: Withdrawal): string {
  const address = addressGroups(payout.toAddress).join(' ')
  const next = payoutWaitNext(payout)
  return next === undefined ? address : `${next} · ${address}`
}

function nameOf(payout: Withdrawal): string {
  const amount = assetAmount(payout.amount, payout.currencyCode)
  const [name, network] = [payeeName(payout), networkName(payout.blockchainCode)]
  return name === undefined ? t`${amount} on ${network}` : t`${amount} to ${name} on ${network}`
}
