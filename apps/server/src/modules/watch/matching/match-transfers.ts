import type { Chain, Transfer } from '@kassa/chains/adapter.ts'

import type { Context } from '../../../context.ts'
import { raiseAlarm } from '../../alarms/service.ts'
import { type Asset, adapterOf } from '../../blockchains/chains/service.ts'
import type { ReceivedTransfer } from '../../payments/crediting/service.ts'
import { ownAddressesByKeys } from '../../wallets/own-addresses/service.ts'
import { addressesByKeys } from '../../wallets/service.ts'
import { type Check, type Checks, NO_CHECKS, transferKey } from '../verification/transfer-checks.ts'
import { deleteUnclaimedAbove, insertUnclaimed } from './store.ts'

/** What transfers are matched with, besides our addresses. */
export type Matching = {
  readonly chain: Chain
  readonly familyId: number
  readonly assets: readonly Asset[]
  readonly checks?: Checks
}

/**
 * Finds, for each transfer, the customer's address it went to and its asset; in the order given. A transfer to an
 * address of ours that no customer has yet is stored as unclaimed, because the address may be assigned later (money.md
 * W-10).
 */
export async function matchTransfers(
  ctx: Context,
  { chain, familyId, assets, checks = NO_CHECKS }: Matching,
  transfers: readonly Transfer[],
): Promise<ReceivedTransfer[]> {
  const codec = adapterOf(chain.blockchain.family)?.addresses
  if (transfers.length === 0 || !codec) return []
  const keyOf = (text: string) => Buffer.from(codec.key(chain, text))
  const named = transfers.flatMap(({ senders, to }) => [...senders, to])
  const ours = new Map(
    (await addressesByKeys(ctx, familyId, named.map(keyOf))).map((address) => [address.key.toString('hex'), address]),
  )
  const find = (text: string) => ours.get(keyOf(text).toString('hex'))
  const own = await ownAddressesByKeys(ctx, chain.blockchain.id, named.map(keyOf))
  const ownKeys = new Set(own.map(({ key }) => key.toString('hex')))
  const assetOf = new Map(assets.map((asset) => [asset.id, asset]))
  const matched: ReceivedTransfer[] = []
  for (const transfer of transfers) {
    const address = find(transfer.to)
    const asset = assetOf.get(transfer.assetId)
    if (!address || !asset) continue
    const check = checks.get(transferKey(transfer))
    const isOwn = transfer.senders.some(
      (sender) => find(sender) !== undefined || ownKeys.has(keyOf(sender).toString('hex')),
    )
    const quarantineReason = quarantineReasonOf(asset, check)
    if (address.customerId) matched.push({ transfer, address, asset, isOwn, ...check, quarantineReason })
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
