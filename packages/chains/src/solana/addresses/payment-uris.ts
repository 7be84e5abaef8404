import { formatUnits } from '@kassa/primitives/money/units.ts'
import type { PaymentUris } from '../../adapter.ts'

/** Payment links of Solana Pay (https://docs.solanapay.com/spec): whole coins, and the token by its mint. */
export const solanaUris: PaymentUris = {
  payment(chain, { assetId, to, units }) {
    const asset = chain.assets.find(({ id }) => id === assetId)
    if (!asset) throw new RangeError(`Asset ${assetId} is not on ${chain.blockchain.code}`)
    const amount = `solana:${to}?amount=${formatUnits(units, asset.decimals)}`
    return asset.standard === 'native' ? amount : `${amount}&spl-token=${asset.address}`
  },
}
