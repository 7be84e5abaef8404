import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Download, Send, X } from 'lucide-react'
import { useState } from 'react'

import { useCan } from '../../../api/me.ts'
import { resendWebhookOnce } from '../../../api/payment-repair.ts'
import { cancelPaymentOnce } from '../../../api/payments.ts'
import { count } from '../../../lib/format.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { utcIso } from '../../../lib/time.ts'
import { BulkBar } from '../../../ui/BulkBar.tsx'
import { Button } from '../../../ui/Button.tsx'
import { cannotCancelRow, paymentOf } from '../row-actions.ts'
import { BulkDialog } from './BulkDialog.tsx'
import type { BulkTask } from './BulkDialog.tsx'
import { selectedFile } from './selected-file.ts'

export type PickedPaymentsProps = {
  readonly projectId: string
  readonly rows: readonly PaymentRow[]
  readonly onClear: () => void
}

/** What may be done to several payments at once; absent while none is picked. */
export function PickedPayments({ projectId, rows, onClear }: PickedPaymentsProps) {
  const can = useCan()
  const [task, setTask] = useState<BulkTask>()
  const told = rows.filter(({ externalPlatformID }) => can('webhook:resend', externalPlatformID))
  const open = rows.filter((row) => can('payment:cancel', row.externalPlatformID) && cannotCancelRow(row) === undefined)
  const save = () =>
    saveFile(selectedFile(rows), `payments-${projectId}-selected-${utcIso(new Date()).slice(0, 10)}.csv`)
  return (
    <>
      {rows.length > 0 && (
        <BulkBar count={rows.length} onClear={onClear}>
          {can('webhook:resend', projectId) && (
            <Button
              size="small"
              icon={<Send strokeWidth={1.75} />}
              disabled={told.length === 0}
              onClick={() => setTask(resending(told))}
            >
              <Trans>Resend webhooks</Trans>
            </Button>
          )}
          {can('payment:cancel', projectId) && (
            <Button
              size="small"
              icon={<X strokeWidth={1.75} />}
              disabled={open.length === 0}
              title={open.length === 0 ? t`None of them is an open link without money.` : undefined}
              onClick={() => setTask(cancelling(open, rows.length - open.length))}
            >
              <Trans>Cancel open</Trans>
            </Button>
          )}
          {can('payment:export', projectId) && (
            <Button size="small" icon={<Download strokeWidth={1.75} />} onClick={save}>
              <Trans>Export</Trans>
            </Button>
          )}
        </BulkBar>
      )}
      {task !== undefined && <BulkDialog task={task} onClose={() => setTask(undefined)} />}
    </>
  )
}

function resending(rows: readonly PaymentRow[]): BulkTask {
  const payments = rows.length
  return {
    title: t`Resend webhooks`,
    text: t`The shop is told again how ${plural(payments, { one: '# payment stands', other: '# payments stand' })}.`,
    action: t`Resend ${count(payments)}`,
    danger: false,
    rows,
    act: async (row, key) => {
      const sent = await resendWebhookOnce(paymentOf(row), key)
      if (sent === 0) return t`No endpoint is told of this`
      return t`Sent to ${plural(sent, { one: '# endpoint', other: '# endpoints' })}`
    },
  }
}

function cancelling(rows: readonly PaymentRow[], leftOut: number): BulkTask {
  const links = rows.length
  const warning = t`${plural(links, { one: '# link', other: '# links' })} can no longer be paid.`
  const others = t`${plural(leftOut, { one: '# other is', other: '# others are' })} left out: ended already, or money was seen.`
  return {
    title: t`Cancel open links`,
    text: leftOut === 0 ? warning : `${warning} ${others}`,
    action: t`Cancel ${plural(links, { one: '# link', other: '# links' })}`,
    danger: true,
    rows,
    act: async (row, key) => {
      await cancelPaymentOnce(paymentOf(row), key)
      return t`Cancelled`
    },
  }
}
