import { setImmediate } from 'node:timers/promises'

import { fail } from '@kassa/contract/kit/api-error.ts'
import { FAMILIES } from '@kassa/primitives/chains/families.ts'

import { type Context, inTransaction } from '../../context.ts'
import { job } from '../../jobs/jobs.ts'
import { adapterOf } from '../blockchains/chains/service.ts'
import { deriveAddresses } from './derive.ts'
import { CHUNK, missingAddresses, POOL } from './rules.ts'
import { countOpen, insertAddresses, listXpubs, lockDerivation, takeIndexes, type XpubRow } from './store.ts'

/** A wallet's key of one chain family. */
export type PoolRef = { readonly walletId: number; readonly familyId: number }

export const fillPoolJob = job({ queue: 'wallets.fill-pool', worker: 'account-processor', run: fillPool })

/** Derives addresses ahead of use until the pool is full; one writer at a time, and safe to repeat. */
export async function fillPool(ctx: Context, pool: PoolRef): Promise<void> {
  for (
    let missing = missingAddresses(await countOpen(ctx, pool.walletId, pool.familyId));
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
    const xpub = (await listXpubs(tx, [walletId])).find((row) => row.family_id === familyId)
    if (!xpub) return fail('NO_DEPOSIT_ADDRESS')
    const first = await takeIndexes(tx, walletId, familyId, count)
    await insertAddresses(tx, derive(tx, xpub, first, count))
  })
}

/** The first addresses of a key, for operators to compare with their own wallet. */
export function firstAddresses(ctx: Context, xpub: XpubRow, count: number): string[] {
  return derive(ctx, xpub, 0, count).map(({ address }) => address)
}

/** Requests more addresses when the index just assigned comes near the end of the pool. */
export async function askForMore(ctx: Context, pool: PoolRef, index: number): Promise<void> {
  const xpub = (await listXpubs(ctx, [pool.walletId])).find((row) => row.family_id === pool.familyId)
  if (!xpub || xpub.next_index - index > POOL.low) return
  await fillPoolJob.send(ctx, pool, { singletonKey: `${pool.walletId}:${pool.familyId}` })
}

function derive(ctx: Context, row: XpubRow, first: number, count: number) {
  const family = FAMILIES.find(({ id }) => id === row.family_id)?.family
  const adapter = family && adapterOf(family)
  if (!adapter) return fail('FAMILY_UNSUPPORTED')
  const source = { ...row, walletId: row.wallet_id, familyId: row.family_id }
  return deriveAddresses(adapter, ctx.config.network, source, { first, count })
}
