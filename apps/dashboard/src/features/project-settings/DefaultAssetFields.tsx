import { useQuery } from '@tanstack/react-query'

import { publicAssetsQuery } from '../../api/blockchains.ts'
import type { FieldProps } from '../../lib/form.ts'
import { Select } from '../../ui/Select.tsx'

export type DefaultAssetFieldsProps = {
  readonly network: FieldProps<string>
  readonly asset: FieldProps<string>
}

/** What the checkout offers first: a network, and one of its currencies. */
export function DefaultAssetFields({ network, asset }: DefaultAssetFieldsProps) {
  const { data: assets = [] } = useQuery(publicAssetsQuery)
  const names = new Map(assets.map((one) => [String(one.blockchainID), one.network]))
  const networks = [...names].map(([value, label]) => ({ value, label }))
  const currencies = assets
    .filter(({ blockchainID }) => String(blockchainID) === network.value)
    .map(({ id, currencyCode }) => ({ value: String(id), label: currencyCode }))
  // A choice whose list is still on its way, or that is offered no longer, stays what it is.
  const known = (options: { value: string; label: string }[], value: string) =>
    value === '' || options.some((option) => option.value === value)
      ? options
      : [...options, { value, label: `Number ${value}` }]

  return (
    <>
      <Select
        {...network}
        label="Default network"
        options={[{ value: '', label: 'None' }, ...known(networks, network.value)]}
        hint="Offered first to customers; they can choose another."
        onChange={(value) => {
          network.onChange(value)
          asset.onChange('')
        }}
      />
      <Select
        {...asset}
        label="Default currency"
        options={[{ value: '', label: 'None' }, ...known(currencies, asset.value)]}
        {...(network.value === '' ? { hint: 'Choose a network first.' } : {})}
      />
    </>
  )
}
