import { setImmediate } from 'node:timers/promises'

import { type Context, inTransaction } from '../../context.ts'
import { job } from '../../jobs/jobs.ts'
import { genuineXpub } from './authenticity.ts'
import { deriveFrom } from './derive.ts'
import { CHUNK, missingAddresses, POOL } from './rules.ts'
import { countOpen, insertAddresses, listXpubs, lockDerivation, takeIndexes, type XpubRow } from './store.ts'

/** A wallet's key of one chain family. */
export type PoolRef = { readonly walletId: number; readonly familyId: number }

export const fillPoolJob = job({ queue: 'wallets.fill-pool', worker: 'account-processor', run: fillPool })

/** Derives addresses ahead of use until the pool is full; one writer at a time, and safe to repeat. */
export async function fillPool(ctx: Context, pool: PoolRef & { readonly atLeast?: number }): Promise<void> {
  for (
    let missing = missingAddresses(await countOpen(ctx, pool.walletId, pool.familyId), pool.atLeast);
    missing > 0;
    missing -= CHUNK
  ) {
    await deriveMore(ctx, pool, Math.min(CHUNK, missing))
    await setImmediate()
  }
}

/** Adds the next `count` addresses of the wallet to its pool. */
export async function deriveMore(ctx: Context, { walletId, familyId }: PoolRef, count: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockDerivation(tx, familyId)
    const xpub = await genuineXpub(tx, walletId, familyId)
    const first = await takeIndexes(tx, walletId, familyId, count)
    await insertAddresses(tx, deriveFrom(tx, xpub, { first, count }))
  })
}

/** The first addresses of a key, for operators to compare with their own wallet. */
export function firstAddresses(ctx: Context, xpub: XpubRow, count: number): string[] {
  return deriveFrom(ctx, xpub, { first: 0, count }).map(({ address }) => address)
}

/** Requests more addresses when the index just assigned comes near the end of the pool. */
export async function askForMore(ctx: Context, pool: PoolRef, index: number): Promise<void> {
  const xpub = (await listXpubs(ctx, [pool.walletId])).find((row) => row.family_id === pool.familyId)
  if (!xpub || xpub.next_index - index > POOL.low) return
  await fillPoolJob.send(ctx, pool, { singletonKey: `${pool.walletId}:${pool.familyId}` })
}
