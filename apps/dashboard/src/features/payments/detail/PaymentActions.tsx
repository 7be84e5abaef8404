import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import {
  BadgeCheck,
  CalendarClock,
  ChevronDown,
  Copy,
  ExternalLink,
  Hash,
  Mail,
  Search,
  Send,
  Undo2,
  X,
} from 'lucide-react'
import { Suspense, useId, useState } from 'react'

import { useCan } from '../../../api/me.ts'
import { copiedText, copyFailedText, copyText } from '../../../lib/device/clipboard.ts'
import { assetAmount } from '../../../lib/text/format.ts'
import type { ButtonSize } from '../../../ui/actions/button-classes.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { CopyButton } from '../../../ui/actions/CopyButton.tsx'
import { LinkButton } from '../../../ui/actions/LinkButton.tsx'
import { Menu } from '../../../ui/actions/Menu.tsx'
import type { MenuItem } from '../../../ui/actions/Menu.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { CancelDialog } from '../links/CancelDialog.tsx'
import { offerTexts } from '../actions/offer-texts.ts'
import { cancelOffReason, extendOffReason, offersOf, remindOffReason } from '../actions/offers.ts'
import type { Offer } from '../actions/offers.ts'
import { sourcesOf } from '../actions/refund-sources.ts'
import { RefundLayer } from '../actions/RefundLayer.tsx'
import { useResend } from '../actions/ResendButton.tsx'
import { ResolveDialog } from '../actions/ResolveDialog.tsx'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import { FindTransaction } from '../unmatched/FindTransaction.tsx'

const ExtendDialog = lazyLayer(async () => ({ default: (await import('../links/ExtendDialog.tsx')).ExtendDialog }))
const RemindDialog = lazyLayer(async () => ({ default: (await import('../links/RemindDialog.tsx')).RemindDialog }))

type Asked = 'cancel' | 'extend' | 'find' | 'refund' | 'remind' | Offer

export type PaymentActionsProps = {
  readonly payment: PaymentDetail
  readonly size?: ButtonSize
  /** In one row with others, on a phone: what the menu has too is left to it, and the checkout is a sign. */
  readonly isShort?: boolean
}

/** What an operator may do about a payment; what is not possible says why. */
export function PaymentActions({ payment, size = 'medium', isShort = false }: PaymentActionsProps) {
  const menuId = useId()
  const [asked, setAsked] = useState<Asked>()
  const { failure, send } = useResend(payment)
  const items = useItems(payment, setAsked, send)
  const close = () => setAsked(undefined)
  return (
    <>
      {failure !== undefined && (
        <p role="alert" className="w-full text-dense text-danger-text">
          {failure}
        </p>
      )}
      {payment.paymentState === 'OPEN' && !isShort && <CopyButton label={t`payment link`} value={payment.url} />}
      <LinkButton href={payment.url} newTab size={size} icon={<ExternalLink strokeWidth={1.75} />}>
        <span className={isShort ? 'sr-only' : ''}>
          <Trans>Open checkout</Trans>
        </span>
      </LinkButton>
      <Button popoverTarget={menuId} size={size}>
        <Trans>Actions</Trans>
        <ChevronDown aria-hidden size={16} strokeWidth={1.75} />
      </Button>
      <Menu id={menuId} label={t`Actions`} items={items} atEnd />
      {asked === 'cancel' && (
        <CancelDialog
          payment={payment}
          amountInUSD={payment.amountInUSD}
          customer={payment.customer.email || payment.customer.customer_id}
          onClose={close}
        />
      )}
      {asked === 'find' && (
        <FindTransaction
          projectId={String(payment.externalPlatformID)}
          referenceID={payment.referenceID}
          onClose={close}
        />
      )}
      {asked === 'refund' && <RefundLayer payment={payment} onClose={close} />}
      {asked === 'extend' && (
        <Suspense>
          <ExtendDialog payment={payment} onClose={close} />
        </Suspense>
      )}
      {asked === 'remind' && (
        <Suspense>
          <RemindDialog payment={payment} onClose={close} />
        </Suspense>
      )}
      {typeof asked === 'object' && <ResolveDialog payment={payment} offer={asked} onClose={close} />}
    </>
  )
}

function useItems(payment: PaymentDetail, ask: (asked: Asked) => void, resend: () => Promise<void>): MenuItem[] {
  const can = useCan()
  const project = payment.externalPlatformID
  const { url, referenceID } = payment
  const items: MenuItem[] = [
    { label: t`Copy payment link`, icon: <Copy aria-hidden />, onSelect: () => void copy(t`payment link`, url) },
    { label: t`Copy reference`, icon: <Hash aria-hidden />, onSelect: () => void copy(t`reference`, referenceID) },
  ]
  if (can('payment:resolve', project)) {
    items.push({ label: t`Find a transaction`, icon: <Search aria-hidden />, onSelect: () => ask('find') })
    items.push(...menuOffers(payment).map((offer, at) => offerItem(payment, offer, at === 0, ask)))
  }
  if (can('payout:create', project)) items.push(refundItem(payment, ask))
  if (can('webhook:resend', project)) {
    items.push({ label: t`Resend webhook`, icon: <Send aria-hidden />, divided: true, onSelect: () => void resend() })
  }
  if (can('payment:create', project)) {
    if (payment.paymentState === 'OPEN') items.push(remindItem(payment, ask))
    if (isWaiting(payment)) items.push(extendItem(payment, ask))
  }
  if (can('payment:cancel', project)) items.push(cancelItem(payment, ask))
  return items
}

/** All but taking a deposit away, which stands with the deposit. */
function menuOffers(payment: PaymentDetail): Offer[] {
  return offersOf(payment).filter(({ action }) => action !== 'unassign')
}

function offerItem(payment: PaymentDetail, offer: Offer, divided: boolean, ask: (asked: Asked) => void): MenuItem {
  const { offReason } = offer
  return {
    label: offerLabel(payment, offer),
    icon: <BadgeCheck aria-hidden />,
    divided,
    ...(offReason === undefined ? { onSelect: () => ask(offer) } : { offReason }),
  }
}

/** What the press does, and with how much money when there are several to choose from. */
function offerLabel(payment: PaymentDetail, offer: Offer): string {
  const { label } = offerTexts(payment, offer)
  const { deposit } = offer
  if (deposit === null) return label
  const amount = assetAmount(deposit.amount, deposit.currencyCode)
  return t`${label}: ${amount}`
}

function refundItem(payment: PaymentDetail, ask: (asked: Asked) => void): MenuItem {
  const isPossible = sourcesOf(payment).length > 0
  return {
    label: t`Refund`,
    icon: <Undo2 aria-hidden />,
    divided: true,
    ...(isPossible
      ? { onSelect: () => ask('refund') }
      : { offReason: t`Nothing final has arrived that could be given back.` }),
  }
}

function remindItem(payment: PaymentDetail, ask: (asked: Asked) => void): MenuItem {
  const offReason = remindOffReason(payment)
  return {
    label: t`Send reminder`,
    icon: <Mail aria-hidden />,
    ...(offReason === undefined ? { onSelect: () => ask('remind') } : { offReason }),
  }
}

/** A link that ended cannot be extended, which its state says already. */
function isWaiting({ paymentState }: PaymentDetail): boolean {
  return paymentState === 'OPEN' || paymentState === 'PARTIALLY_FILLED'
}

function extendItem(payment: PaymentDetail, ask: (asked: Asked) => void): MenuItem {
  const offReason = extendOffReason(payment)
  return {
    label: t`Extend link`,
    icon: <CalendarClock aria-hidden />,
    ...(offReason === undefined ? { onSelect: () => ask('extend') } : { offReason }),
  }
}

function cancelItem(payment: PaymentDetail, ask: (asked: Asked) => void): MenuItem {
  const reason = cancelOffReason(payment)
  return {
    label: t`Cancel link`,
    icon: <X aria-hidden />,
    divided: true,
    danger: reason === undefined,
    ...(reason === undefined ? { onSelect: () => ask('cancel') } : { offReason: reason }),
  }
}

async function copy(label: string, value: string): Promise<void> {
  if (await copyText(value)) toast.success(copiedText(label))
  else toast.error(copyFailedText(label))
}
