import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ExternalLink, Mail, Plus, Share2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'

import { paymentQuery } from '../../../api/payments.ts'
import { paths } from '../../../lib/paths.ts'
import { usdExact } from '../../../lib/text/format.ts'
import { listText } from '../../../lib/text/list-text.ts'
import { shortReference } from '../../../lib/text/short-reference.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { CopyButton } from '../../../ui/actions/CopyButton.tsx'
import { PageActions } from '../../../ui/places/PageActions.tsx'
import { LinkButton } from '../../../ui/actions/LinkButton.tsx'
import { QRCode } from '../../../ui/facts/QRCode.tsx'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { DetailStatus } from '../payment/PaymentStatus.tsx'
import { paymentNotes } from '../payment/payment-notes.ts'

/** A link that was just made. */
export type NewLink = {
  readonly projectId: string
  readonly reference: string
  readonly url: string
  /** Older links of the customer that it replaced. */
  readonly superseded: readonly string[]
  readonly amountInUSD: string
  readonly customerEmail: string
}

export type CreatedLinkProps = {
  readonly link: NewLink
  /** How often the same link was requested again. */
  readonly repeats: number
  readonly onNew: () => void
  readonly tools?: (payment: PaymentDetail) => ReactNode
}

/** The link with one large press to copy it, other ways to send it, and its live status. */
export function CreatedLink({ link, repeats, onNew, tools }: CreatedLinkProps) {
  const place = useRef<HTMLDivElement>(null)
  const { projectId, reference, url, superseded, amountInUSD } = link
  const { data: payment } = useQuery(paymentQuery(projectId, reference))
  // On a phone it is below the form; focus moves here so that Enter does not submit the form again.
  useEffect(() => {
    place.current?.focus({ preventScroll: true })
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [repeats])
  const amount = usdExact(amountInUSD)
  const older = listText(superseded.map((one) => shortReference(one)))
  return (
    <div ref={place} tabIndex={-1} className="scroll-mt-18 scroll-mb-4 outline-none">
      <Card
        title={t`Link for ${amount}`}
        text={link.customerEmail === '' ? undefined : link.customerEmail}
        actions={
          <PageActions
            primary={
              <Button onClick={onNew} icon={<Plus strokeWidth={2} />}>
                <Trans>New link</Trans>
              </Button>
            }
          />
        }
      >
        <div className="flex flex-col gap-5">
          <div className="flex flex-col gap-2">
            <CopyButton label={t`payment link`} value={url} withText kind="primary" large />
            <p className="text-dense break-all">
              <TextLink href={url} newTab>
                {url}
              </TextLink>
            </p>
          </div>
          <div className="flex flex-wrap items-start gap-5">
            <QRCode value={url} label={t`the payment link`} size={160} />
            <div className="flex min-w-40 flex-1 flex-col items-start gap-2">
              <LinkButton href={url} newTab icon={<ExternalLink strokeWidth={1.75} />}>
                <Trans>Open</Trans>
              </LinkButton>
              <LinkButton href={mailTo(link)} icon={<Mail strokeWidth={1.75} />}>
                <Trans>Send by e-mail</Trans>
              </LinkButton>
              <ShareButton link={link} />
            </div>
          </div>
          {superseded.length > 0 && (
            <p className="text-dense text-muted">
              <Trans>It replaced this customer’s older link {older}.</Trans>
            </p>
          )}
          {payment !== undefined && <Progress payment={payment} projectId={projectId} tools={tools?.(payment)} />}
        </div>
      </Card>
    </div>
  )
}

type ProgressProps = { readonly payment: PaymentDetail; readonly projectId: string; readonly tools: ReactNode }

/** Waiting, seen, paid: follows the payment. */
function Progress({ payment, projectId, tools }: ProgressProps) {
  const isWaiting = payment.paymentState === 'OPEN' && payment.fundingState === 'none'
  return (
    <div className="flex flex-col gap-3 border-t border-border pt-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="flex flex-wrap items-center gap-2">
          {isWaiting ? (
            <span className="font-medium">
              <Trans>Waiting for payment</Trans>
            </span>
          ) : (
            <DetailStatus payment={payment} />
          )}
        </span>
        <TextLink href={paths.payments({ projectId }, { open: payment.referenceID })}>
          <Trans>Details</Trans>
        </TextLink>
      </div>
      {paymentNotes(payment).map((note) => (
        <p key={note} className="text-dense text-muted">
          {note}
        </p>
      ))}
      {tools && <div className="flex flex-wrap gap-2">{tools}</div>}
    </div>
  )
}

function mailTo({ customerEmail, url, amountInUSD }: NewLink): string {
  const amount = usdExact(amountInUSD)
  const subject = encodeURIComponent(t`Your payment of ${amount}`)
  return `mailto:${encodeURIComponent(customerEmail)}?subject=${subject}&body=${encodeURIComponent(url)}`
}

/** The device's own way to hand a link on, where it has one. */
function ShareButton({ link: { url, amountInUSD } }: { link: NewLink }) {
  if (typeof navigator.share !== 'function') return null
  const amount = usdExact(amountInUSD)
  const share = () => {
    // Closing the sheet again rejects; nothing has gone wrong then.
    void navigator.share({ title: t`Payment of ${amount}`, url }).catch(() => undefined)
  }
  return (
    <Button onClick={share} icon={<Share2 strokeWidth={1.75} />}>
      <Trans>Share</Trans>
    </Button>
  )
}
