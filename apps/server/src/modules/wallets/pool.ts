import { setImmediate } from 'node:timers/promises'

import { fail } from '@kassa/contract/kit/api-error.ts'

import { type Context, inTransaction } from '../../context.ts'
import { job } from '../../jobs/jobs.ts'
import { clearAlarm, raiseAlarm } from '../alarms/service.ts'
import { genuineSource } from './sources/authenticity.ts'
import { deriveFrom } from './sources/derive.ts'
import { CHUNK, FIRST_SALT, LIST_LOW, missingAddresses, POOL } from './rules.ts'
import { type DerivedSource, listSources, takeIndexes } from './sources/store.ts'
import { countOpen, insertAddresses, lockDerivation } from './store.ts'

/** The addresses of a wallet in one chain family. */
export type PoolRef = { readonly walletId: number; readonly familyId: number }

export const fillPoolJob = job({ queue: 'wallets.fill-pool', worker: 'account-processor', run: fillPool })

/** Derives addresses ahead of use until the pool is full; one writer at a time, and safe to repeat. */
export async function fillPool(ctx: Context, pool: PoolRef & { readonly atLeast?: number }): Promise<void> {
  if (await isOfList(ctx, pool)) return
  for (
    let missing = missingAddresses(await countOpen(ctx, pool.walletId, pool.familyId), pool.atLeast);
    missing > 0;
    missing -= CHUNK
  ) {
    await deriveMore(ctx, pool, Math.min(CHUNK, missing))
    await setImmediate()
  }
}

/** Addresses of a list cannot be derived: the owner adds them. */
const USED_UP = 'Every address of the list for this network is in use. Add addresses to the wallet.'

/** Adds the next `count` addresses of the wallet to its pool. */
export async function deriveMore(ctx: Context, { walletId, familyId }: PoolRef, count: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockDerivation(tx, familyId)
    const source = await genuineSource(tx, walletId, familyId)
    if (source.kind === 'list') return fail('NO_DEPOSIT_ADDRESS', { details: USED_UP })
    const first = await takeIndexes(tx, source, count)
    await insertAddresses(tx, deriveFrom(tx, source, { first, count }))
  })
}

/** The first addresses of a key or contract, which operators compare with those they derive themselves. */
export function firstAddresses(ctx: Context, source: DerivedSource, count: number): string[] {
  return deriveFrom(ctx, source, { first: source.kind === 'xpub' ? 0 : FIRST_SALT, count }).map(
    ({ address }) => address,
  )
}

/** Requests more addresses when the index just assigned comes near the end of the pool. */
export async function requestMoreAddresses(ctx: Context, pool: PoolRef, index: number): Promise<void> {
  const source = (await listSources(ctx, [pool.walletId])).find((row) => row.family_id === pool.familyId)
  if (source?.kind === 'list') return updateListAlarm(ctx, pool)
  if (!source || source.next_index - index > POOL.low) return
  await fillPoolJob.send(ctx, pool, { singletonKey: `${pool.walletId}:${pool.familyId}` })
}

async function isOfList(ctx: Context, { walletId, familyId }: PoolRef): Promise<boolean> {
  return (await listSources(ctx, [walletId])).some((row) => row.family_id === familyId && row.kind === 'list')
}

/**
 * Raises or clears the alarm that a list runs out: addresses of a list cannot be derived, so an operator must add some in time.
 */
export async function updateListAlarm(ctx: Context, { walletId, familyId }: PoolRef): Promise<void> {
  const left = await countOpen(ctx, walletId, familyId)
  const subject = `wallet ${walletId} family ${familyId}`
  if (left > LIST_LOW) return clearAlarm(ctx, { kind: 'addresses_low', subject })
  await raiseAlarm(ctx, { kind: 'addresses_low', subject, params: { walletID: walletId, left } })
}
