import type { Chain, Transfer } from '@kassa/chains/adapter.ts'

import type { Context } from '../../../context.ts'
import { raiseAlarm } from '../../alarms/service.ts'
import { type Asset, adapterOf } from '../../blockchains/chains/service.ts'
import type { ObservedMove, Side } from '../../movements/service.ts'
import type { ReceivedTransfer } from '../../payments/crediting/service.ts'
import { ownAddressesByKeys } from '../../wallets/own-addresses/service.ts'
import { addressesByKeys, type AddressRow } from '../../wallets/service.ts'
import { type Check, type Checks, NO_CHECKS, transferKey } from '../verification/transfer-checks.ts'
import { deleteUnclaimedAbove, insertUnclaimed } from './store.ts'

/** What transfers are matched with, besides our addresses. */
export type Matching = {
  readonly chain: Chain
  readonly familyId: number
  readonly assets: readonly Asset[]
  readonly checks?: Checks
}

/** Transfers that concern us: those that are deposits, and those that are not (money.md W-12). */
export type Matched = {
  readonly deposits: readonly ReceivedTransfer[]
  readonly moves: readonly ObservedMove[]
}

/**
 * Finds, for each transfer, its asset and what its addresses are to us, in the order given. A transfer from a stranger to an
 * address of a customer is a deposit. One to an address that no customer has is stored as unclaimed, because the address may be
 * assigned later (money.md W-10). Every other transfer that touches an address of ours is a movement.
 */
export async function matchTransfers(
  ctx: Context,
  { chain, familyId, assets, checks = NO_CHECKS }: Matching,
  transfers: readonly Transfer[],
): Promise<Matched> {
  const ours = await addressesAmong(ctx, { chain, familyId }, transfers)
  const assetOf = new Map(assets.map((asset) => [asset.id, asset]))
  const deposits: ReceivedTransfer[] = []
  const moves: ObservedMove[] = []
  for (const transfer of transfers) {
    const asset = assetOf.get(transfer.assetId)
    const from = transfer.senders.flatMap((sender) => ours.sideOf(sender) ?? [])[0] ?? null
    const to = ours.sideOf(transfer.to)
    if (!asset || (!from && !to)) continue
    const address = ours.depositAddress(transfer.to)
    if (from || transfer.isFromUs || !address) {
      moves.push({ transfer, asset, from, to })
      continue
    }
    const check = checks.get(transferKey(transfer))
    const quarantineReason = quarantineReasonOf(asset, check)
    if (address.customerId) deposits.push({ transfer, address, asset, ...check, quarantineReason })
    else await storeUnclaimed(ctx, chain, transfer, address.id)
    if (check?.quarantineReason) await raiseShortTransfer(ctx, transfer, asset)
  }
  return { deposits, moves }
}

type Ours = {
  readonly sideOf: (address: string) => Side | null
  /** Null also for an address that is an own address of a wallet as well: that role decides. */
  readonly depositAddress: (address: string) => AddressRow | null
}

async function addressesAmong(
  ctx: Context,
  { chain, familyId }: Pick<Matching, 'chain' | 'familyId'>,
  transfers: readonly Transfer[],
): Promise<Ours> {
  const codec = adapterOf(chain.blockchain.family)?.addresses
  if (transfers.length === 0 || !codec) return { sideOf: () => null, depositAddress: () => null }
  const named = new Set(transfers.flatMap(({ senders, to }) => [...senders, ...(to === '' ? [] : [to])]))
  const keyOf = new Map([...named].map((text) => [text, Buffer.from(codec.key(chain, text)).toString('hex')]))
  const keys = [...new Set(keyOf.values())].map((hex) => Buffer.from(hex, 'hex'))
  const own = new Map(
    (await ownAddressesByKeys(ctx, chain.blockchain.id, keys)).map((one) => [one.key.toString('hex'), one]),
  )
  const deposit = new Map(
    (await addressesByKeys(ctx, familyId, keys)).map((address) => [address.key.toString('hex'), address]),
  )
  const depositAddress = (address: string) => {
    const key = keyOf.get(address) ?? ''
    return own.has(key) ? null : (deposit.get(key) ?? null)
  }
  const sideOf = (address: string): Side | null => {
    const wallet = own.get(keyOf.get(address) ?? '')
    if (wallet) return { role: wallet.role, addressId: null, walletId: wallet.walletId, projectId: null }
    const row = depositAddress(address)
    return row && { role: 'deposit', addressId: row.id, walletId: row.walletId, projectId: row.projectId }
  }
  return { sideOf, depositAddress }
}

/** Filters the transfers of a read to those that reach an address of ours from a stranger. */
export function fromStrangers(
  chain: Chain,
  matches: (key: Uint8Array) => boolean,
  transfers: readonly Transfer[],
): Transfer[] {
  const codec = adapterOf(chain.blockchain.family)?.addresses
  if (!codec) return []
  const isOurs = (address: string) => matches(codec.key(chain, address))
  return transfers.filter(({ senders, to, isFromUs }) => to !== '' && !isFromUs && isOurs(to) && !senders.some(isOurs))
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

/** Deletes unclaimed transfers above a height: the chain has left those blocks. */
export async function forgetUnclaimedAbove(ctx: Context, blockchainId: number, height: number): Promise<void> {
  await deleteUnclaimedAbove(ctx, blockchainId, height)
}
