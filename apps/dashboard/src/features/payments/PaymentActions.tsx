import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { ChevronDown, Copy, ExternalLink, Hash, X } from 'lucide-react'
import { useId, useState } from 'react'

import { asApiError } from '../../api/api-error.ts'
import { useCan } from '../../api/me.ts'
import { useCancelPayment } from '../../api/payments.ts'
import { copiedText, copyFailedText, copyText } from '../../lib/clipboard.ts'
import { shortAddress, usdExact } from '../../lib/format.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import type { MenuItem } from '../../ui/Menu.tsx'
import { toast } from '../../ui/toast.ts'
import { cannotCancel } from './payment-notes.ts'

/** What an operator may do about a payment; what is not possible says why. */
export function PaymentActions({ payment }: { payment: PaymentDetail }) {
  const can = useCan()
  const menuId = useId()
  const [asksCancel, setAsksCancel] = useState(false)
  const link = payment.url
  const items: MenuItem[] = [
    { label: 'Copy payment link', icon: <Copy aria-hidden />, onSelect: () => void copy('payment link', link) },
    {
      label: 'Copy reference',
      icon: <Hash aria-hidden />,
      onSelect: () => void copy('reference', payment.referenceID),
    },
  ]
  if (can('payment:cancel', payment.externalPlatformID)) {
    const reason = cannotCancel(payment)
    items.push({
      label: 'Cancel link',
      icon: <X aria-hidden />,
      divided: true,
      danger: reason === undefined,
      ...(reason === undefined ? { onSelect: () => setAsksCancel(true) } : { offReason: reason }),
    })
  }
  return (
    <>
      <LinkButton href={link} newTab icon={<ExternalLink strokeWidth={1.75} />}>
        Open checkout
      </LinkButton>
      <Button popoverTarget={menuId}>
        Actions
        <ChevronDown aria-hidden size={16} strokeWidth={1.75} />
      </Button>
      <Menu id={menuId} label="Actions" items={items} atEnd />
      {asksCancel && <CancelDialog payment={payment} onClose={() => setAsksCancel(false)} />}
    </>
  )
}

async function copy(label: string, value: string): Promise<void> {
  if (await copyText(value)) toast.success(copiedText(label))
  else toast.error(copyFailedText(label))
}

/** Asks before an open link ends. */
function CancelDialog({ payment, onClose }: { payment: PaymentDetail; onClose: () => void }) {
  const cancel = useCancelPayment()
  const [failure, setFailure] = useState<string>()
  const confirm = async () => {
    setFailure(undefined)
    try {
      await cancel(payment)
      toast.success('The link is cancelled.')
      onClose()
    } catch (thrown) {
      setFailure(asApiError(thrown).message)
    }
  }
  return (
    <ConfirmDialog title="Cancel this link?" action="Cancel link" keep="Keep it" onConfirm={confirm} onClose={onClose}>
      <p>
        Payment {shortAddress(payment.referenceID)} over {usdExact(payment.amountInUSD)} for{' '}
        {payment.customer.email || payment.customer.customer_id} can no longer be paid. You can make a new link any
        time.
      </p>
      {failure !== undefined && (
        <p role="alert" className="mt-3 text-danger-text">
          {failure}
        </p>
      )}
    </ConfirmDialog>
  )
}
