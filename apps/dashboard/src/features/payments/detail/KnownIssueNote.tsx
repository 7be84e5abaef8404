import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Mail } from 'lucide-react'
import type { ReactNode } from 'react'

import { usdExact } from '../../../lib/text/format.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { LinkButton } from '../../../ui/actions/LinkButton.tsx'
import type { KnownIssue } from './known-issues.ts'
import { IssueLine } from './IssueLine.tsx'

export type KnownIssueNoteProps = {
  readonly issue: KnownIssue
  readonly payment: PaymentDetail
  /** Opens the refund; undefined where there is none. */
  readonly onRefund: (() => void) | undefined
  /** What else may be pressed. */
  readonly children: ReactNode
}

/** One matter, with the way to the customer where it is settled between people. */
export function KnownIssueNote({ issue, payment, onRefund, children }: KnownIssueNoteProps) {
  const { tone, title, text, isBetweenPeople } = issue
  const { email } = payment.customer
  return (
    <IssueLine
      tone={tone}
      title={title}
      actions={
        <>
          {onRefund !== undefined && (
            <Button size="small" onClick={onRefund}>
              <Trans>Refund…</Trans>
            </Button>
          )}
          {isBetweenPeople && email !== '' && (
            <LinkButton size="small" href={emailTo(email, payment)} icon={<Mail strokeWidth={1.75} />}>
              <Trans>Write to the customer</Trans>
            </LinkButton>
          )}
          {children}
        </>
      }
    >
      <p>{text}</p>
    </IssueLine>
  )
}

function emailTo(email: string, { amountInUSD }: PaymentDetail): string {
  const amount = usdExact(amountInUSD)
  return `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(t`Your payment of ${amount}`)}`
}
