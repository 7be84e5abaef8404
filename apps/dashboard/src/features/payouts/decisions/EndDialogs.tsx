import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { t } from '@lingui/core/macro'
import { useState } from 'react'

import { usePayoutChanges } from '../../../api/payouts.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { assetAmount, shortAddress } from '../../../lib/text/format.ts'
import { payeeName } from '../../../labels/payout-labels.ts'
import { TextArea } from '../../../ui/fields/TextArea.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { decisionFailure } from './decision-texts.ts'

type Props = { readonly payout: Withdrawal; readonly onClose: () => void }

/** Asks why a payout is refused; of rewards that must be said, on whichever page, because the promoter reads it. */
export function RejectDialog(props: Props) {
  const { reject } = usePayoutChanges()
  return (
    <EndDialog
      {...props}
      isReasonNeeded={props.payout.type === 'withdrawal'}
      title={t`Reject this payout?`}
      action={t`Reject payout`}
      done={t`The payout is rejected. Nothing left the wallet.`}
      send={(reason) => reject(props.payout.id, reason)}
    />
  )
}

/** Asks before a payout is cancelled that is not signed yet. */
export function CancelDialog(props: Props) {
  const { cancel } = usePayoutChanges()
  return (
    <EndDialog
      {...props}
      title={t`Cancel this payout?`}
      action={t`Cancel payout`}
      done={t`The payout is cancelled. Nothing left the wallet.`}
      send={(reason) => cancel(props.payout.id, reason)}
    />
  )
}

type Ending = Props & {
  /** The recipient reads this text. */
  readonly isReasonNeeded?: boolean
  readonly title: string
  readonly action: string
  readonly done: string
  readonly send: (reason: string) => Promise<unknown>
}

/** As many characters as the server takes. */
const LONGEST_REASON = 500

function EndDialog({ payout, title, action, done, send, isReasonNeeded = false, onClose }: Ending) {
  const [failure, setFailure] = useState<string>()
  const form = useForm({
    initial: { reason: '' },
    validate: ({ reason }) => {
      if (isReasonNeeded && reason.trim() === '') return { reason: t`Say why, for the promoter` }
      return reason.length > LONGEST_REASON ? { reason: t`At most ${LONGEST_REASON} characters` } : {}
    },
    submit: async ({ reason }) => {
      setFailure(undefined)
      try {
        await send(reason.trim())
        toast.success(done)
        onClose()
      } catch (thrown) {
        setFailure(decisionFailure(thrown))
      }
    },
  })
  const amount = assetAmount(payout.amount, payout.currencyCode)
  const name = payeeName(payout) ?? shortAddress(payout.toAddress)
  return (
    <FormDialog
      title={title}
      save={action}
      cancel={t`Keep payout`}
      danger
      sending={form.sending}
      failure={failure}
      isSafe
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <p className="text-body text-muted">{t`${amount} to ${name} will not be paid. The held amount is released.`}</p>
      <TextArea {...form.field('reason')} label={t`Reason`} hint={t`Shown to the person who requested it.`} rows={2} />
    </FormDialog>
  )
}
