import type { Asset } from '@kassa/contract/blockchains/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { formFailure } from '../../../api/form-failure.ts'
import { useChangeAsset } from '../../../api/nodes.ts'
import type { AssetPatch } from '../../../api/nodes.ts'
import { amountError } from '../../../lib/text/amount-text.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { AmountField } from '../../../ui/fields/AmountField.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Checkbox } from '../../../ui/fields/Checkbox.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { toast } from '../../../ui/feedback/toast.ts'

/** The families that hot wallets pay out in. */
const PAID_OUT: ReadonlySet<string> = new Set(['ETH_Family', 'TRX_Family'])

/** Switches payments and payouts in one currency on one network, and says from which amount on they count. */
export function AssetDialog({ asset, onClose }: { asset: Asset; onClose: () => void }) {
  const { currencyCode, blockchain, depositEnabled, withdrawalEnabled, minDepositAmount, walletPrecision } = asset
  const { name: network } = blockchain
  const change = useChangeAsset()
  const [failure, setFailure] = useState<string>()
  const form = useForm({
    initial: { isOn: depositEnabled, isPaidOut: withdrawalEnabled, minDepositAmount: minDepositAmount ?? '' },
    validate: ({ minDepositAmount: smallest }) => {
      const why = amountError(smallest, walletPrecision)
      return why === undefined ? {} : { minDepositAmount: why }
    },
    submit: async ({ isOn, isPaidOut, minDepositAmount: smallest }) => {
      const patch: AssetPatch = {
        ...(isOn === depositEnabled ? {} : { depositEnabled: isOn }),
        ...(isPaidOut === withdrawalEnabled ? {} : { withdrawalEnabled: isPaidOut }),
        ...(smallest === (minDepositAmount ?? '') ? {} : { minDepositAmount: smallest }),
      }
      if (Object.keys(patch).length === 0) return onClose()
      setFailure(undefined)
      try {
        await change(asset, patch)
        toast.success(t`${currencyCode} on ${network} saved`)
        onClose()
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, ['minDepositAmount'])
        setFailure(text)
        return fields
      }
    },
  })
  return (
    <FormDialog
      title={t`${currencyCode} on ${network}`}
      save={t`Save`}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <Checkbox
        label={t`Customers may choose it`}
        checked={form.values.isOn}
        hint={t`In every project that accepts it.`}
        onChange={(isOn) => form.set({ isOn })}
      />
      {depositEnabled && !form.values.isOn && (
        <Banner tone="warning">
          <Trans>
            Nobody can choose it for a payment any more. Money that arrives all the same is still seen and recorded.
          </Trans>
        </Banner>
      )}
      {PAID_OUT.has(blockchain.family) && (
        <Checkbox
          label={t`Payouts may be asked for in it`}
          checked={form.values.isPaidOut}
          hint={t`From the hot wallet of the network. Payouts that were asked for before go on.`}
          onChange={(isPaidOut) => form.set({ isPaidOut })}
        />
      )}
      <AmountField
        {...form.field('minDepositAmount')}
        label={t`Smallest payment`}
        currency={currencyCode}
        decimals={walletPrecision}
        hint={t`Less than this is recorded and does not count, unless it is exactly what was missing. Empty: the usual amount.`}
      />
    </FormDialog>
  )
}
