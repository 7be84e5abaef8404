import type { Chain, Transfer } from '@kassa/chains/adapter.ts'

import type { Context } from '../../../context.ts'
import { raiseAlarm } from '../../alarms/service.ts'
import { type Asset, adapterOf, listAssets } from '../../blockchains/chains/service.ts'
import type { ReceivedTransfer } from '../../payments/crediting/service.ts'
import { addressesByKeys } from '../../wallets/service.ts'
import { type Check, type Checks, NO_CHECKS, transferKey } from '../verification/transfer-checks.ts'
import { insertUnclaimed } from './store.ts'

export { deleteUnclaimedAbove as forgetUnclaimedAbove } from './store.ts'

/**
 * Finds, for each transfer, the customer's address it went to and the asset it is of; in the order given. Money to an address
 * of ours that nobody has yet is remembered until somebody does (W-10).
 */
export async function matchTransfers(
  ctx: Context,
  { chain, familyId, checks = NO_CHECKS }: { chain: Chain; familyId: number; checks?: Checks },
  transfers: readonly Transfer[],
): Promise<ReceivedTransfer[]> {
  const codec = adapterOf(chain.blockchain.family)?.addresses
  if (transfers.length === 0 || !codec) return []
  const keys = transfers.map(({ to }) => Buffer.from(codec.key(chain, to)))
  const addresses = new Map(
    (await addressesByKeys(ctx, familyId, keys)).map((address) => [address.key.toString('hex'), address]),
  )
  const assets = new Map<number, Asset>((await listAssets(ctx)).map((asset) => [asset.id, asset]))
  const matched: ReceivedTransfer[] = []
  for (const [at, transfer] of transfers.entries()) {
    const address = addresses.get(keys[at]?.toString('hex') ?? '')
    const asset = assets.get(transfer.assetId)
    if (!address || !asset) continue
    const check = checks.get(transferKey(transfer))
    if (address.customerId) matched.push({ transfer, address, asset, ...check, doubt: doubtOf(asset, check) })
    else await keepUnclaimed(ctx, chain, transfer, address.id)
    if (check?.doubt) await raiseShortTransfer(ctx, transfer, asset)
  }
  return matched
}

/** Units of a contract that is no longer what was seeded mean nothing until a person looks. */
function doubtOf({ disabledBecause }: Asset, check: Check | undefined): Check['doubt'] {
  return disabledBecause === null ? (check?.doubt ?? null) : 'ASSET_CHANGED'
}

/** A token that moves less than it says is no longer what was chosen (W-5). */
function raiseShortTransfer(ctx: Context, { txId }: Transfer, { currencyCode, blockchainCode }: Asset): Promise<void> {
  const subject = `${currencyCode} on ${blockchainCode}`
  const text = `${subject} moved less than its own log says, in ${txId}. The money is held. Find out whether the token takes a fee now; until then switch its deposits off.`
  return raiseAlarm(ctx, { kind: 'asset_changed', subject, text })
}

async function keepUnclaimed(ctx: Context, { blockchain }: Chain, transfer: Transfer, addressId: bigint) {
  ctx.log.warn({ tx: transfer.txId, leg: transfer.leg, to: transfer.to }, 'money went to an address nobody has yet')
  await insertUnclaimed(ctx, { blockchainId: blockchain.id, addressId, transfer })
}
