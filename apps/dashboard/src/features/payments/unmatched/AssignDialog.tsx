import type { Deposit } from '@kassa/contract/deposits/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { useAssignDeposit, useResolvePayment } from '../../../api/payment-repair.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { fullAmount, usd } from '../../../lib/text/format.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { Address } from '../../../ui/facts/Address.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { TextArea } from '../../../ui/fields/TextArea.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { depositReason } from '../../../labels/deposit-labels.ts'
import { ActionRefused } from '../actions/ActionRefused.tsx'
import { PaymentChoice } from './PaymentChoice.tsx'
import { useCandidates } from './useCandidates.ts'

/** As long as the server takes. */
const LONGEST_NOTE = 500

/** Applies an unmatched deposit to a payment of the same customer: one on hold is released to it. */
export function AssignDialog({ deposit, onClose }: { deposit: Deposit; onClose: () => void }) {
  const apply = useApply(deposit)
  const [failure, setFailure] = useState<unknown>()
  const { hasNone } = useCandidates(deposit)
  const isHeld = deposit.status === 'quarantined'
  const amount = fullAmount(deposit.amount, deposit.currencyCode)
  const network = networkName(deposit.blockchainCode)
  const form = useForm({
    initial: { referenceID: deposit.referenceID ?? '', note: '' },
    validate: ({ referenceID, note }) => ({
      ...(referenceID === '' && { referenceID: t`Choose a payment` }),
      ...(isHeld && note.trim() === '' && { note: t`Note is required` }),
      ...(note.length > LONGEST_NOTE && { note: tooLongText() }),
    }),
    submit: async ({ referenceID, note }) => {
      setFailure(undefined)
      try {
        await apply(referenceID, note.trim())
        toast.success(t`The money counts for that payment.`)
        onClose()
      } catch (thrown) {
        setFailure(thrown)
      }
    },
  })
  return (
    <FormDialog
      title={isHeld ? t`Release from hold` : t`Assign to a payment`}
      save={isHeld ? t`Release` : t`Assign`}
      sending={form.sending}
      offReason={hasNone ? t`There is no payment that can take it.` : undefined}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <p className="font-semibold tabular-nums">
        <Trans>
          {amount} on {network}
        </Trans>
        {deposit.amountInUSD !== null && <span className="font-normal text-muted"> ({usd(deposit.amountInUSD)})</span>}
      </p>
      <KeyValue
        rows={[
          ...(deposit.reason === null ? [] : [{ label: t`Why it waits`, value: depositReason(deposit.reason) }]),
          { label: t`Transaction`, value: <Address value={deposit.txHash} label={t`transaction hash`} full /> },
        ]}
      />
      {isHeld && (
        <p className="text-body">
          <Trans>
            Look the transaction up in another explorer first: it was held because something about it did not fit.
          </Trans>
        </p>
      )}
      {failure !== undefined && <ActionRefused thrown={failure} />}
      <PaymentChoice deposit={deposit} {...form.field('referenceID')} />
      <TextArea
        {...form.field('note')}
        label={isHeld ? t`Note` : t`Note (optional)`}
        isRequired={isHeld}
        hint={t`The reason, shown in the timeline.`}
        rows={2}
      />
    </FormDialog>
  )
}

function tooLongText(): string {
  return t`Note must be at most ${plural(LONGEST_NOTE, { one: '# character', other: '# characters' })} long`
}

function useApply(deposit: Deposit): (referenceID: string, note: string) => Promise<void> {
  const assign = useAssignDeposit()
  const resolve = useResolvePayment()
  const { id, externalPlatformID, status } = deposit
  return (referenceID, note) => {
    if (status !== 'quarantined' || externalPlatformID === null) return assign(deposit, referenceID, note)
    return resolve({ externalPlatformID, referenceID }, { action: 'release_quarantine', depositID: id, note })
  }
}
