import type { PaymentDetail, PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, Copy, Hash, PanelRightOpen, Send, X } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import { asRequestError } from '../../../api/request-error.ts'
import { useCan } from '../../../api/me.ts'
import { useResendWebhook } from '../../../api/payment-repair.ts'
import { paymentQuery } from '../../../api/payments.ts'
import { copiedText, copyFailedText, copyText, copyWhenReady } from '../../../lib/device/clipboard.ts'
import { useGo } from '../../../lib/navigation/navigate.ts'
import type { MenuItem } from '../../../ui/actions/Menu.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import { markResolvedOffer } from '../actions/offers.ts'
import { cannotCancelRow, paymentOf } from '../payment/row-actions.ts'

const CancelDialog = lazyLayer(async () => ({ default: (await import('../links/CancelDialog.tsx')).CancelDialog }))
const ResolveDialog = lazyLayer(async () => ({
  default: (await import('../actions/ResolveDialog.tsx')).ResolveDialog,
}))

export type PaymentRowMenu = {
  readonly itemsOf: (row: PaymentRow) => readonly MenuItem[]
  /** What an item asks before it acts. */
  readonly dialog: ReactNode
}

/** Returns what an operator may do about a payment right in the list. */
export function useRowMenu(hrefOf: (row: PaymentRow) => string): PaymentRowMenu {
  const can = useCan()
  const go = useGo()
  const client = useQueryClient()
  const resend = useResendWebhook()
  const [cancelled, setCancelled] = useState<PaymentRow>()
  const [resolving, setResolving] = useState<PaymentDetail>()

  const copyLink = async (row: PaymentRow) => {
    const detail = client.query(paymentQuery(String(row.externalPlatformID), row.referenceId))
    reportCopy(t`payment link`, await copyWhenReady(detail.then(({ url }) => url)))
  }
  const sendAgain = async (row: PaymentRow) => {
    try {
      const sent = await resend(paymentOf(row))
      if (sent === 0)
        toast.error(t`Nothing was sent: no active endpoint receives this event. Add one under Developers.`)
      else toast.success(t`On its way again to ${plural(sent, { one: '# endpoint', other: '# endpoints' })}.`)
    } catch (thrown) {
      toast.error(asRequestError(thrown).message)
    }
  }
  const markResolved = async (row: PaymentRow) => {
    try {
      const payment = await client.query(paymentQuery(String(row.externalPlatformID), row.referenceId))
      const offReason = markResolvedOffer(payment)?.offReason
      if (offReason === undefined) setResolving(payment)
      else toast.error(offReason)
    } catch (thrown) {
      toast.error(asRequestError(thrown).message)
    }
  }
  const itemsOf = (row: PaymentRow): readonly MenuItem[] => {
    const items: MenuItem[] = [
      { label: t`Open`, icon: <PanelRightOpen aria-hidden />, onSelect: () => go(hrefOf(row)) },
      { label: t`Copy payment link`, icon: <Copy aria-hidden />, onSelect: () => void copyLink(row) },
      {
        label: t`Copy reference`,
        icon: <Hash aria-hidden />,
        onSelect: () => void copyText(row.referenceId).then((isCopied) => reportCopy(t`reference`, isCopied)),
      },
    ]
    if (can('webhook:resend', row.externalPlatformID)) {
      const icon = <Send aria-hidden />
      items.push({ label: t`Resend webhook`, icon, divided: true, onSelect: () => void sendAgain(row) })
    }
    if (row.needsAttention && can('payment:resolve', row.externalPlatformID)) {
      items.push({
        label: t`Mark as resolved`,
        icon: <CircleCheck aria-hidden />,
        onSelect: () => void markResolved(row),
      })
    }
    if (can('payment:cancel', row.externalPlatformID)) {
      const offReason = cannotCancelRow(row)
      items.push({
        label: t`Cancel link`,
        icon: <X aria-hidden />,
        divided: true,
        ...(offReason === undefined ? { danger: true, onSelect: () => setCancelled(row) } : { offReason }),
      })
    }
    return items
  }
  const dialog = (
    <Suspense>
      {cancelled && (
        <CancelDialog
          payment={paymentOf(cancelled)}
          amountInUSD={cancelled.exact.amountInUSD}
          customer={cancelled.email ?? cancelled.customerId}
          onClose={() => setCancelled(undefined)}
        />
      )}
      {resolving && <MarkResolvedDialog payment={resolving} onClose={() => setResolving(undefined)} />}
    </Suspense>
  )
  return { itemsOf, dialog }
}

/** Asks about a payment that was read when it was asked for, and stays up to date. */
function MarkResolvedDialog({ payment, onClose }: { payment: PaymentDetail; onClose: () => void }) {
  const { data: now = payment } = useQuery(paymentQuery(String(payment.externalPlatformID), payment.referenceID))
  const offer = markResolvedOffer(payment)
  return offer && <ResolveDialog payment={now} offer={offer} onClose={onClose} />
}

function reportCopy(label: string, isCopied: boolean): void {
  if (isCopied) toast.success(copiedText(label))
  else toast.error(copyFailedText(label))
}
