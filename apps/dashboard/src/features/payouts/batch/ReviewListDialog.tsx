import type { PayoutQuote } from '@kassa/contract/withdrawals/batch.ts'
import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { addressGroups } from '@kassa/primitives/address-groups.ts'
import { plural, t } from '@lingui/core/macro'
import { useState } from 'react'

import { formFailure } from '../../../api/form-failure.ts'
import { type PayoutRows, usePayoutChanges } from '../../../api/payouts.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { quotedText } from '../../../labels/policy-labels.ts'
import { assetAmount, usd } from '../../../lib/text/format.ts'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import type { CheckedLine } from './payout-rows.ts'

export type ReviewListDialogProps = {
  readonly projectId: string
  readonly lines: readonly CheckedLine[]
  readonly rows: PayoutRows
  readonly quote: PayoutQuote | undefined
  readonly onCreated: (payouts: readonly Withdrawal[]) => void
  readonly onClose: () => void
}

/** Shows the sums and every payout of a list, unshortened; one confirmation then covers exactly these. */
export function ReviewListDialog({ projectId, lines, rows, quote, onCreated, onClose }: ReviewListDialogProps) {
  const { createAll } = usePayoutChanges()
  const [failure, setFailure] = useState<string>()
  const confirm = async () => {
    setFailure(undefined)
    try {
      const { payouts } = await createAll(projectId, rows)
      toast.success(plural(payouts.length, { one: '# payout requested.', other: '# payouts requested.' }))
      onCreated(payouts)
    } catch (thrown) {
      setFailure(failureText(thrown, lines))
    }
  }
  return (
    <ConfirmDialog
      title={t`Review payouts`}
      action={plural(rows.length, { one: 'Create # payout', other: 'Create # payouts' })}
      keep={t`Back`}
      danger={false}
      failure={failure}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p className="mb-3 text-body text-muted">{t`One confirmation covers all of them: either all payouts are requested or none.`}</p>
      {quote !== undefined && <KeyValue rows={sumRows(quote)} />}
      <ul
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that scrolls is read by keyboard too
        tabIndex={0}
        aria-label={t`Payouts to request`}
        className="mt-2 flex max-h-80 flex-col divide-y divide-border overflow-y-auto"
      >
        {lines.map((line) => (
          <li key={line.line} className="py-2">
            <p className="text-body">{nameOf(line)}</p>
            <p className="text-dense break-words text-muted">
              {addressGroups(line.recipient?.address ?? '').join(' ')}
              <span className="block">{line.values.reference}</span>
            </p>
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}

function sumRows({ totals, policy, amountInUSD }: PayoutQuote) {
  return [
    ...totals.map(({ amount, currencyCode, blockchainCode, payouts }) => ({
      label: t`${currencyCode} on ${networkName(blockchainCode)}`,
      value: plural(payouts, {
        one: `${assetAmount(amount, currencyCode)} in # payout`,
        other: `${assetAmount(amount, currencyCode)} in # payouts`,
      }),
    })),
    { label: t`Together`, value: usd(amountInUSD) },
    { label: t`Policy`, value: quotedText(policy) },
  ]
}

function nameOf({ amount, values, recipient }: CheckedLine): string {
  const sum = assetAmount(amount, values.currency.toUpperCase())
  const [name, network] = [recipient?.name ?? '', networkName(recipient?.blockchainCode ?? '')]
  return t`${sum} to ${name} on ${network}`
}

/** Says which line of the file was refused, and why; that no payout was created only where that is known. */
function failureText(thrown: unknown, lines: readonly CheckedLine[]): string {
  const why = reasonText(thrown, lines)
  return asRequestError(thrown).isUndecided
    ? t`It is not known whether the payouts were created. ${why}`
    : t`No payout was created. ${why}`
}

function reasonText(thrown: unknown, lines: readonly CheckedLine[]): string {
  const { code, data, message } = asRequestError(thrown)
  if (code === 'STEP_UP_MISMATCH') return t`The list changed after you opened it. Go back and review it again.`
  const row = data?.['row']
  const line = typeof row === 'number' ? lines[row] : undefined
  if (line !== undefined) return t`Line ${line.line}, ${line.values.reference}: ${message}`
  return formFailure(thrown, []).text ?? ''
}
