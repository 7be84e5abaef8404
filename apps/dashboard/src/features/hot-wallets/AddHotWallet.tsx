import { DEFAULT_FLOAT_LIMIT, NewHotWallet } from '@kassa/contract/wallets/hot-schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { blockchainsQuery } from '../../api/blockchains.ts'
import { useWalletChanges } from '../../api/hot-wallets.ts'
import { useRequestForm } from '../../api/request-form.ts'
import { fieldErrors } from '../../lib/forms/field-errors.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { AmountField } from '../../ui/fields/AmountField.tsx'
import { PasswordField } from '../../ui/fields/PasswordField.tsx'
import { RadioGroup } from '../../ui/fields/RadioGroup.tsx'
import { Select } from '../../ui/fields/Select.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { familyText, hotFamilies } from './hot-words.ts'

const CENTS = 2

type Values = {
  name: string
  family: string
  source: string
  privateKey: string
  purpose: string
  floatLimitInUSD: string
}

/** Adds a hot wallet: the server makes its key, or takes one over. */
export function AddHotWallet({ onClose }: { onClose: () => void }) {
  const { addHot } = useWalletChanges()
  const { data: blockchains = [] } = useQuery(blockchainsQuery)
  const families = hotFamilies(blockchains.filter(({ status }) => status === 'active'))
  const familyOf = ({ family }: Pick<Values, 'family'>) => family || (families[0] ?? 'ETH_Family')
  const { form, failure } = useRequestForm<Values>(
    {
      name: '',
      family: '',
      source: 'generate',
      privateKey: '',
      purpose: 'payout',
      floatLimitInUSD: DEFAULT_FLOAT_LIMIT,
    },
    (values) => fieldErrors(NewHotWallet, requestOf(values)),
    async (values) => {
      const { name } = await addHot(familyOf(values), requestOf(values))
      toast.success(t`${name} was added`)
      onClose()
    },
  )
  const { source, purpose } = form.values
  return (
    <FormDialog
      title={t`Add hot wallet`}
      save={t`Add hot wallet`}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <TextField {...form.field('name')} label={t`Name`} autoComplete="off" />
      {families.length > 1 && (
        <Select
          label={t`Networks`}
          value={familyOf(form.values)}
          options={families.map((family) => ({ value: family, label: familyText({ family }) }))}
          onChange={(family) => form.set({ family })}
        />
      )}
      <RadioGroup
        legend={t`Key`}
        value={source}
        onChange={(chosen) => form.set({ source: chosen, privateKey: '' })}
        options={[
          {
            value: 'generate',
            label: t`Create new`,
            hint: t`The server makes the key and encrypts it. Nobody ever sees it.`,
          },
          {
            value: 'import',
            label: t`Import a key`,
            hint: t`For a wallet that you have. Nobody else should use its key.`,
          },
        ]}
      />
      {source === 'import' && (
        <>
          <Banner tone="warning">
            <Trans>
              Import a key of one account that holds little. Kassa never gives it out again: keep your own copy, and
              clear your clipboard.
            </Trans>
          </Banner>
          <PasswordField {...form.field('privateKey')} label={t`Private key`} autoComplete="new-password" />
        </>
      )}
      <RadioGroup
        legend={t`What it is for`}
        value={purpose}
        onChange={(chosen) => form.set({ purpose: chosen })}
        options={[
          { value: 'payout', label: t`Payouts`, hint: t`It holds what you pay out.` },
          { value: 'gas', label: t`Gas`, hint: t`It pays the network fees of sweeps.` },
          { value: 'both', label: t`Both`, hint: t`One key for both: a thief of it has both floats.` },
        ]}
      />
      <AmountField
        {...form.field('floatLimitInUSD')}
        label={t`Limit`}
        currency="USD"
        decimals={CENTS}
        hint={t`A balance above it is shown as excess, for you to move. Nothing is stopped.`}
      />
    </FormDialog>
  )
}

function requestOf({ name, source, privateKey, purpose, floatLimitInUSD }: Values): NewHotWallet {
  return {
    name,
    floatLimitInUSD,
    functions: purpose === 'both' ? ['gas', 'payout'] : [purpose === 'gas' ? 'gas' : 'payout'],
    ...(source === 'import' ? { privateKey } : { generate: true }),
  }
}
