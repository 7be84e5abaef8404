import type { Context } from '../../../context.ts'
import { lockCustomers } from '../../customers/service.ts'
import { lockOwnersOf } from './store.ts'

/**
 * Takes the first locks of a transaction that moves money of a blockchain. All such transactions lock in one order: the
 * blockchain, then every customer whose money may move, then their deposits, payments and accounts, each by id. So two of
 * them never wait for each other in a circle, whichever customers they share.
 */
export async function lockOwners(
  ctx: Context,
  blockchainId: number,
  owners: (ctx: Context) => Promise<readonly number[]>,
): Promise<readonly number[]> {
  await lockOwnersOf(ctx, blockchainId)
  const ids = [...new Set(await owners(ctx))]
  if (ids.length > 0) await lockCustomers(ctx, ids)
  return ids
}
