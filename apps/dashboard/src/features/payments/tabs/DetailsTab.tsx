import { ownInvoice } from '@kassa/contract/payments/invoice.ts'
import { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { encode } from 'zod/mini'

import { meQuery } from '../../../api/me.ts'
import { exactTime } from '../../../lib/time/time.ts'
import { Address } from '../../../ui/facts/Address.tsx'
import { CopyButton } from '../../../ui/actions/CopyButton.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import type { KeyValueRow } from '../../../ui/facts/KeyValue.tsx'
import { creatorOf } from '../payment/creator.ts'
import type { Creator } from '../payment/creator.ts'

/** Every field as it is stored, to copy; the whole payment as JSON below. */
export function DetailsTab({ payment }: { payment: PaymentDetail }) {
  const { data: me } = useQuery(meQuery)
  const json = JSON.stringify(encode(PaymentDetail, payment), null, 2)
  return (
    <div className="flex flex-col gap-4">
      <KeyValue rows={rows(payment, creatorOf(payment, me?.id))} />
      <details className="rounded-card border border-border bg-surface">
        <summary className="px-4 py-3 font-medium">
          <Trans>As JSON</Trans>
        </summary>
        <div className="border-t border-border p-4">
          <CopyButton label={t`payment as JSON`} value={json} withText />
          <pre className="mt-3 max-h-96 overflow-auto rounded-control bg-sunken p-3 font-mono text-caption" dir="ltr">
            {json}
          </pre>
        </div>
      </details>
    </div>
  )
}

function rows(payment: PaymentDetail, maker: Creator): KeyValueRow[] {
  const { referenceID, depositAddress, customer, expiresAt, createdAt, metadata } = payment
  return [
    { label: t`Reference`, value: <Machine value={referenceID} label={t`reference`} /> },
    ...(depositAddress === null ? [] : [{ label: t`Deposit address`, value: <Address value={depositAddress} full /> }]),
    { label: t`Customer e-mail`, value: customer.email },
    { label: t`Customer ID`, value: customer.customer_id },
    { label: t`Invoice ID`, value: ownInvoice(payment) },
    { label: t`Description`, value: payment.description },
    { label: t`Created`, value: exactTime(createdAt) },
    { label: t`Created by`, value: creatorText(maker) },
    { label: t`Ends`, value: exactTime(expiresAt) },
    { label: t`Success URL`, value: payment.successURL },
    { label: t`Cancel URL`, value: payment.cancelURL },
    { label: t`Metadata`, value: Object.keys(metadata).length === 0 ? '' : <Code>{JSON.stringify(metadata)}</Code> },
  ].filter(({ value }) => value !== '' && value !== null)
}

function creatorText(maker: Creator): string {
  if (maker === 'you') return t`You`
  return maker === 'operator' ? t`An operator` : t`An API key`
}

function Machine({ value, label }: { value: string; label: string }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      <Code>{value}</Code>
      <CopyButton label={label} value={value} />
    </span>
  )
}

function Code({ children }: { children: ReactNode }) {
  return (
    <bdi dir="ltr" className="font-mono text-dense break-all">
      {children}
    </bdi>
  )
}
