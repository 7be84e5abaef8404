import type { Chain, Transfer } from '@kassa/chains/adapter.ts'

import type { Context } from '../../context.ts'
import { type Asset, adapterOf, listAssets } from '../blockchains/service.ts'
import type { ReceivedTransfer } from '../payments/service.ts'
import { addressesByKeys } from '../wallets/service.ts'

/** Finds, for each transfer, the customer's address it went to and the asset it is of; in the order given. */
export async function matchTransfers(
  ctx: Context,
  { chain, familyId }: { chain: Chain; familyId: number },
  transfers: readonly Transfer[],
): Promise<ReceivedTransfer[]> {
  const codec = adapterOf(chain.blockchain.family)?.addresses
  if (transfers.length === 0 || !codec) return []
  const keys = transfers.map(({ to }) => Buffer.from(codec.key(chain, to)))
  const addresses = new Map(
    (await addressesByKeys(ctx, familyId, keys)).map((address) => [address.key.toString('hex'), address]),
  )
  const assets = new Map<number, Asset>((await listAssets(ctx)).map((asset) => [asset.id, asset]))
  return transfers.flatMap((transfer, at) => {
    const address = addresses.get(keys[at]?.toString('hex') ?? '')
    const asset = assets.get(transfer.assetId)
    if (address?.customerId && asset) return [{ transfer, address, asset }]
    ctx.log.warn({ tx: transfer.txId, leg: transfer.leg, to: transfer.to }, 'money went to an address nobody has yet')
    return []
  })
}
