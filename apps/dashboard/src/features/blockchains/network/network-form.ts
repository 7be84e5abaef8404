import { BlockchainChange } from '@kassa/contract/blockchains/inputs.ts'
import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import { t } from '@lingui/core/macro'

import type { BlockchainPatch } from '../../../api/nodes.ts'
import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import type { FieldErrors } from '../../../lib/forms/form.ts'

export type NetworkValues = {
  readonly minConfirmations: string
  readonly explorerTransaction: string
  readonly explorerAddress: string
}

type Facts = Pick<Blockchain, 'minConfirmations' | 'explorerTransaction' | 'explorerAddress'>

/** Returns what the form starts with. */
export function networkValues({ minConfirmations, explorerTransaction, explorerAddress }: Facts): NetworkValues {
  return { minConfirmations: String(minConfirmations), explorerTransaction, explorerAddress }
}

/** Returns only what was changed; an empty explorer goes back to the usual one. */
export function networkPatch(values: NetworkValues, facts: Facts): BlockchainPatch {
  const before = networkValues(facts)
  const isChanged = (name: keyof NetworkValues) => values[name].trim() !== before[name]
  return {
    ...(isChanged('minConfirmations') ? { minConfirmations: Number(values.minConfirmations) } : {}),
    ...(isChanged('explorerTransaction') ? { explorerTransaction: values.explorerTransaction.trim() } : {}),
    ...(isChanged('explorerAddress') ? { explorerAddress: values.explorerAddress.trim() } : {}),
  }
}

/** Returns every field that fails, with the contract's text. */
export function networkErrors(values: NetworkValues, facts: Facts): FieldErrors<NetworkValues> {
  if (values.minConfirmations.trim() === '') return { minConfirmations: t`Confirmations is required` }
  return fieldErrors(BlockchainChange, networkPatch(values, facts))
}
