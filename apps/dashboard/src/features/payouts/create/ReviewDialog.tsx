import type { Recipient } from '@kassa/contract/recipients/schemas.ts'
import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { selectOrdinal, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { formFailure } from '../../../api/form-failure.ts'
import { type NewPayoutRequest, payoutRulesQuery, usePayoutChanges } from '../../../api/payouts.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { Address } from '../../../ui/facts/Address.tsx'
import { Amount } from '../../../ui/facts/Amount.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import type { Draft } from './new-payout.ts'
import { policyText } from './WhatHappens.tsx'

export type ReviewDialogProps = {
  readonly projectId: string
  readonly draft: Draft
  readonly request: NewPayoutRequest
  readonly onCreated: (payout: Withdrawal) => void
  readonly onClose: () => void
}

/** Shows everything about a payout, unshortened, before it is asked for. */
export function ReviewDialog({ projectId, draft, request, onCreated, onClose }: ReviewDialogProps) {
  const { create } = usePayoutChanges()
  const { data: rules } = useQuery(payoutRulesQuery(projectId))
  const [failure, setFailure] = useState<string>()
  const { recipient, currencyCode, amount, value, note } = draft
  const confirm = async () => {
    setFailure(undefined)
    try {
      const payout = await create(projectId, request)
      toast.success(payout.status === 'pending' ? t`The payout is on its way.` : t`The payout waits for approval.`)
      onCreated(payout)
    } catch (thrown) {
      setFailure(notCreatedText(thrown))
    }
  }
  return (
    <ConfirmDialog
      title={t`Review payout`}
      action={t`Create payout`}
      keep={t`Back`}
      danger={false}
      failure={failure}
      onConfirm={confirm}
      onClose={onClose}
    >
      <KeyValue
        rows={[
          { label: t`Amount`, value: <Amount value={amount} currency={currencyCode} usd={value} full /> },
          { label: t`To`, value: <Address value={recipient.address} name={recipient.name} full /> },
          { label: t`History`, value: knownText(recipient) },
          { label: t`Network`, value: networkName(recipient.blockchainCode) },
          ...(note === '' ? [] : [{ label: t`Note`, value: note }]),
          ...(rules ? [{ label: t`Policy`, value: policyText(rules.payoutConfig) }] : []),
        ]}
      />
    </ConfirmDialog>
  )
}

/** Says that there is no payout only where that is known. */
function notCreatedText(thrown: unknown): string {
  const { text = '' } = formFailure(thrown, [])
  return asRequestError(thrown).isUndecided
    ? t`It is not known whether the payout was created. ${text}`
    : t`The payout wasn’t created. Nothing left the wallet. ${text}`
}

/** The first payout to an address is marked. */
function knownText({ earlierPayouts }: Recipient): string {
  if (earlierPayouts === 0) return t`First payout to this address`
  return selectOrdinal(earlierPayouts + 1, {
    one: '#st payout to this address',
    two: '#nd payout to this address',
    few: '#rd payout to this address',
    other: '#th payout to this address',
  })
}
