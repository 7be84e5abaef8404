import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'

import { publicAssetsQuery } from '../../../api/blockchains.ts'
import { readinessQuery } from '../../../api/payments.ts'
import type { FieldProps } from '../../../lib/forms/form.ts'
import { Select } from '../../../ui/fields/Select.tsx'

export type DefaultAssetFieldsProps = {
  readonly projectId: string
  readonly network: FieldProps<string>
  readonly asset: FieldProps<string>
}

/** What the checkout offers first: a network, and one of its currencies. */
export function DefaultAssetFields({ projectId, network, asset }: DefaultAssetFieldsProps) {
  const { data: assets = [] } = useQuery(publicAssetsQuery)
  const { data: readiness } = useQuery(readinessQuery(projectId))
  const accepted = readiness && new Set(readiness.chains.map(({ blockchainCode }) => blockchainCode))
  const names = new Map(assets.map((one) => [String(one.blockchainID), one.network]))
  const offered = assets.filter(({ blockchainCode }) => accepted?.has(blockchainCode) ?? true)
  const networks = [...new Set(offered.map(({ blockchainID }) => String(blockchainID)))].map((value) => ({
    value,
    label: names.get(value) ?? '',
  }))
  const currencies = assets
    .filter(({ blockchainID }) => String(blockchainID) === network.value)
    .map(({ id, currencyCode }) => ({ value: String(id), label: currencyCode }))
  // A choice whose list is still on its way, or that is offered no longer, stays what it is.
  const known = (options: { value: string; label: string }[], value: string, name?: string) =>
    value === '' || options.some((option) => option.value === value)
      ? options
      : [...options, { value, label: name ?? t`Number ${value}` }]

  return (
    <>
      <Select
        {...network}
        label={t`Default network`}
        options={[{ value: '', label: t`None` }, ...known(networks, network.value, names.get(network.value))]}
        hint={t`Offered first to customers; they can choose another.`}
        onChange={(value) => {
          network.onChange(value)
          asset.onChange('')
        }}
      />
      <Select
        {...asset}
        label={t`Default currency`}
        options={[{ value: '', label: t`None` }, ...known(currencies, asset.value)]}
        {...(network.value === '' ? { hint: t`Choose a network first.` } : {})}
      />
    </>
  )
}
