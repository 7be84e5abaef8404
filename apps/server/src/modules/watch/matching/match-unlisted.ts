import type { Chain, ChainAdapter, ChainSession, UnlistedTransfer } from '@kassa/chains/adapter.ts'

import type { Context } from '../../../context.ts'
import { adapterOf } from '../../blockchains/chains/service.ts'
import { announceNotices } from '../../payments/payment/service.ts'
import { askContracts, forgetUnlistedAbove, noteUnlisted } from '../../unlisted-transfers/service.ts'
import { addressesByKeys } from '../../wallets/service.ts'

/**
 * Stores notices of what was sent to customers' addresses in unlisted tokens, and notifies their open pages. An address that no
 * customer has gets no notice: the address receives spam, and the notice would not be read.
 */
export async function noticeUnlisted(
  ctx: Context,
  { chain, familyId }: { chain: Chain; familyId: number },
  transfers: readonly UnlistedTransfer[],
): Promise<void> {
  const codec = adapterOf(chain.blockchain.family)?.addresses
  if (transfers.length === 0 || !codec) return
  const keys = [...new Set(transfers.map(({ to }) => to))].map((to) => Buffer.from(codec.key(chain, to)))
  const addresses = await addressesByKeys(ctx, familyId, keys)
  const ours = new Map(addresses.map((address) => [codec.format(chain, address.key), address]))
  const received = transfers.flatMap((transfer) => {
    const { id, customerId = null, projectId = null } = ours.get(transfer.to) ?? {}
    if (id === undefined || customerId === null || projectId === null) return []
    return [{ transfer, address: { id, customerId, projectId } }]
  })
  await announceNotices(ctx, await noteUnlisted(ctx, chain.blockchain.id, received))
}

/** Deletes notices above a height: the chain has left those blocks. */
export async function forgetNoticesAbove(ctx: Context, blockchainId: number, height: number): Promise<void> {
  await announceNotices(ctx, await forgetUnlistedAbove(ctx, blockchainId, height))
}

/** Asks the contracts of new notices for their names, and notifies open pages. */
export async function askUnlisted(
  ctx: Context,
  session: ChainSession,
  { contracts }: Pick<ChainAdapter, 'contracts'>,
): Promise<void> {
  if (contracts) await announceNotices(ctx, await askContracts(ctx, session, contracts))
}
