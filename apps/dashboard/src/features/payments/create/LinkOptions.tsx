import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { payableAssetsQuery } from '../../../api/payments.ts'
import type { Form } from '../../../lib/forms/form.ts'
import { useStored, writeStored } from '../../../lib/device/stored.ts'
import { Select } from '../../../ui/fields/Select.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { lifetimes } from './new-link.ts'
import type { LinkValues } from './new-link.ts'

const STORED_OPEN = 'paymentLinkOptions'

const OPTIONAL = ['customerID', 'invoiceID', 'description', 'expiresInMinutes', 'asset'] as const

/** Optional fields of a link; the section stays open once it was opened. */
export function LinkOptions({ form }: { form: Form<LinkValues> }) {
  const wasOpen = useStored(STORED_OPEN) === 'open'
  const hasError = OPTIONAL.some((name) => form.errors[name] !== undefined)
  return (
    <details
      open={wasOpen || hasError}
      onToggle={(event) => writeStored(STORED_OPEN, event.currentTarget.open ? 'open' : undefined)}
      className="group"
    >
      <summary className="w-fit rounded-chip text-body font-medium text-strong-muted hover:text-ink">
        <Trans>Customer, invoice, expiry</Trans>
      </summary>
      <div className="mt-4 flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            {...form.field('customerID')}
            label={t`Customer ID`}
            hint={t`Your own ID for this customer. Empty: the e-mail is used.`}
          />
          <TextField {...form.field('invoiceID')} label={t`Invoice ID`} />
        </div>
        <TextField {...form.field('description')} label={t`Description`} hint={t`The customer sees it.`} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Select {...form.field('expiresInMinutes')} label={t`Expires`} options={lifetimes()} />
          <AssetField form={form} />
        </div>
      </div>
    </details>
  )
}

/** The currency and network the link asks for at once, instead of leaving the choice to the customer. */
function AssetField({ form }: { form: Form<LinkValues> }) {
  const { data: assets } = useQuery(payableAssetsQuery(form.values.projectId))
  const options = assets?.map(({ blockchainCode, currencyCode, network }) => ({
    value: `${blockchainCode}/${currencyCode}`,
    label: t`${currencyCode} on ${network}`,
  }))
  return (
    <Select
      {...form.field('asset')}
      label={t`Network and asset`}
      options={[{ value: '', label: t`The customer chooses` }, ...(options ?? [])]}
    />
  )
}
