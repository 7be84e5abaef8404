import { formatUnits } from '@kassa/primitives/money/units.ts'
import type { PaymentUris } from '../../adapter.ts'

/** Payment links of TRON: there is no settled standard; wallets that read one take the amount in whole coins. */
export const tronUris: PaymentUris = {
  payment(chain, { assetId, to, units }) {
    const asset = chain.assets.find(({ id }) => id === assetId)
    if (!asset) throw new RangeError(`Asset ${assetId} is not on ${chain.blockchain.code}`)
    const amount = `tron:${to}?amount=${formatUnits(units, asset.decimals)}`
    return asset.standard === 'native' ? amount : `${amount}&token=${asset.address}`
  },
}
