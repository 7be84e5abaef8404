import { fail } from '@kassa/contract/kit/api-error.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import { adapterOf, type Asset } from '../../blockchains/chains/service.ts'
import type { PolicyDecision } from '../policy/service.ts'

/**
 * Refuses a payout that the policy blocks for every approver.
 * @throws ADDRESS_INVALID, ADDRESS_IS_OURS, ADDRESS_BLOCKED, ASSET_NOT_PAYABLE, AMOUNT_OUT_OF_RANGE
 */
export function refuseBlocked(block: Extract<PolicyDecision, { kind: 'block' }>, asset: Asset): never {
  const { blockchainCode: chain, currencyCode: currency } = asset
  switch (block.code) {
    case 'address_invalid':
      return fail('ADDRESS_INVALID', { values: { chain } })
    case 'address_is_ours':
      return fail('ADDRESS_IS_OURS')
    case 'address_blocked':
      return fail('ADDRESS_BLOCKED')
    case 'amount_out_of_range': {
      const { min, max } = block.params
      const smallest = formatUnits(1n, asset.decimals)
      return fail('AMOUNT_OUT_OF_RANGE', {
        values: { min: `${min ?? smallest} ${currency}`, max: max === null ? 'any amount' : `${max} ${currency}` },
      })
    }
    case 'not_on_allow_list':
      return fail('ADDRESS_BLOCKED', { details: 'This address is not on the allow list of the payout policy.' })
    case 'asset_not_payable':
      return refuseAsset(asset)
    case 'payouts_paused':
    case 'recipient_too_new':
      return fail('ASSET_NOT_PAYABLE', { values: { currency, chain } })
  }
}

/**
 * Refuses an asset that cannot be paid out, and says so where no key of the server could ever pay it. @throws ASSET_NOT_PAYABLE
 */
export function refuseAsset({ blockchainId, blockchainCode: chain, currencyCode: currency }: Asset): never {
  const family = findBlockchain(blockchainId)?.family
  const isKeyless = family !== undefined && adapterOf(family)?.sender === undefined
  const details = `This server holds no key that spends ${currency} on ${chain}. Pay it from your own wallet.`
  return fail('ASSET_NOT_PAYABLE', { values: { currency, chain }, ...(isKeyless && { details }) })
}
