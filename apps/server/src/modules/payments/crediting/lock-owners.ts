import type { Context } from '../../../context.ts'
import { lockMoney } from '../../deposits/service.ts'
import { lockCustomersOf, type LockedOwners, type Owners } from './store.ts'

/**
 * Takes the first locks of a transaction that moves deposits of a blockchain; returns the customers it locked, and
 * whether any deposit meets the condition. All such transactions lock in one order: the blockchain, then every customer
 * whose deposits may move, then their deposits, payments and accounts, each by id. So two of them cannot deadlock,
 * whichever customers they share.
 */
export async function lockOwners(ctx: Context, blockchainId: number, owners: Owners): Promise<LockedOwners> {
  await lockMoney(ctx, blockchainId)
  return lockCustomersOf(ctx, owners)
}
