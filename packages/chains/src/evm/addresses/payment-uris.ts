import type { PaymentUris } from '../../adapter.ts'

/** Payment links of EVM chains (EIP-681), amounts in the smallest unit, always with the chain id. */
export const evmUris: PaymentUris = {
  payment(chain, { assetId, to, units }) {
    const asset = chain.assets.find(({ id }) => id === assetId)
    if (!asset) throw new RangeError(`Asset ${assetId} is not on ${chain.blockchain.code}`)
    if (asset.standard === 'native') return `ethereum:${to}@${chain.network.chainId}?value=${units}`
    return `ethereum:${asset.address}@${chain.network.chainId}/transfer?address=${to}&uint256=${units}`
  },
}
