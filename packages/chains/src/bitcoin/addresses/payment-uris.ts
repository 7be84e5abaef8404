import { formatUnits } from '@kassa/primitives/money/units.ts'
import type { PaymentUris } from '../../adapter.ts'

/** Payment links of Bitcoin (BIP-321, formerly BIP-21): the amount is in whole coins, as decimal text. */
export const bitcoinUris: PaymentUris = {
  payment(chain, { assetId, to, units }) {
    const asset = chain.assets.find(({ id }) => id === assetId)
    if (!asset) throw new RangeError(`Asset ${assetId} is not on ${chain.blockchain.code}`)
    return `bitcoin:${to}?amount=${formatUnits(units, asset.decimals)}`
  },
}
