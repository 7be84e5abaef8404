import type { Chain, Transfer } from '@kassa/chains/adapter.ts'

import type { Context } from '../../../context.ts'
import { raiseAlarm } from '../../alarms/service.ts'
import { type Asset, adapterOf, listAssets } from '../../blockchains/chains/service.ts'
import type { ReceivedTransfer } from '../../payments/crediting/service.ts'
import { addressesByKeys } from '../../wallets/service.ts'
import { type Check, type Checks, NO_CHECKS, transferKey } from '../verification/transfer-checks.ts'
import { deleteUnclaimedAbove, insertUnclaimed } from './store.ts'

/**
 * Finds, for each transfer, the customer's address it went to and its asset; in the order given. A transfer to an
 * address of ours that no customer has yet is stored as unclaimed, because the address may be assigned later (money.md
 * W-10).
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
    if (address.customerId)
      matched.push({ transfer, address, asset, ...check, quarantineReason: quarantineReasonOf(asset, check) })
    else await storeUnclaimed(ctx, chain, transfer, address.id)
    if (check?.quarantineReason) await raiseShortTransfer(ctx, transfer, asset)
  }
  return matched
}

/** A contract that differs from the listed asset may mint anything, so its deposits are quarantined. */
function quarantineReasonOf({ disabledBecause }: Asset, check: Check | undefined): Check['quarantineReason'] {
  return disabledBecause === null ? (check?.quarantineReason ?? null) : 'ASSET_CHANGED'
}

/** A token that moves less than its log states has changed since it was listed (money.md W-5). */
function raiseShortTransfer(ctx: Context, { txId }: Transfer, { currencyCode, blockchainCode }: Asset): Promise<void> {
  const subject = `${currencyCode} on ${blockchainCode}`
  const params = { case: 'short_transfer', currencyCode, blockchainCode, txHash: txId } as const
  return raiseAlarm(ctx, { kind: 'asset_changed', subject, params })
}

async function storeUnclaimed(ctx: Context, { blockchain }: Chain, transfer: Transfer, addressId: bigint) {
  ctx.log.warn(
    { tx: transfer.txId, leg: transfer.leg, to: transfer.to },
    'a transfer went to an address that no customer has yet',
  )
  await insertUnclaimed(ctx, { blockchainId: blockchain.id, addressId, transfer })
}

/** Forgets unclaimed transfers above a height: the chain has left those blocks. */
export async function forgetUnclaimedAbove(ctx: Context, blockchainId: number, height: number): Promise<void> {
  await deleteUnclaimedAbove(ctx, blockchainId, height)
}
