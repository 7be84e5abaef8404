import { type Context, inTransaction } from '../../context.ts'
import { type Account, balancesOf, post, reverse } from '../ledger/service.ts'
import { lockMoney } from '../deposits/service.ts'
import { lockWallets } from '../wallets/own-addresses/service.ts'
import type { Movement, Position } from './movement.ts'
import { clearSpentOutside } from './outside-spends.ts'
import { finalEntries, type Needed, sourcesOf, cappedAt } from './postings.ts'
import { listFinal, listWalletsAbove, moveFinal, moveReverted } from './store.ts'

/** Books the movements of sweeps; returns the ids of those that it booked. */
type SettleSweeps = (tx: Context, movements: readonly Movement[]) => Promise<ReadonlySet<bigint>>

/**
 * Finalizes every movement that is deep enough, posts its entries and returns these movements. Runs after the deposits of the
 * same blocks are final, because movements may spend them. A movement that takes more than the ledger holds waits: a deposit
 * before it waits for a second node, or money arrived that the ledger does not know yet (money.md 4.6). The caller has called
 * `recordMovements` in the same transaction.
 */
export async function finalizeMovements(
  ctx: Context,
  position: Position,
  settleSweeps: SettleSweeps,
): Promise<Movement[]> {
  return inTransaction(ctx, async (tx) => {
    const due = await listFinal(tx, position)
    if (due.length === 0) return []
    const sweeps = due.filter(isOfSweep)
    const settled = sweeps.length > 0 ? await settleSweeps(tx, sweeps) : new Set<bigint>()
    const final: Movement[] = sweeps.filter(({ id }) => settled.has(id))
    const others = due.filter((movement) => !isOfSweep(movement))
    const funds = await fundsFor(tx, others)
    const entries: Needed[] = []
    for (const movement of others) {
      const made = entriesWithin(funds, movement)
      if (!made) continue
      final.push(movement)
      entries.push(...made)
    }
    if (final.length === 0) return []
    await moveFinal(
      tx,
      final.map(({ id }) => id),
    )
    await post(
      tx,
      entries.map(({ entry }) => entry),
    )
    return final
  })
}

function isOfSweep({ kind }: Movement): boolean {
  return kind === 'sweep'
}

/** Takes the first locks of a transaction that rolls blocks back: the blockchain, then the wallets whose money moved there. */
export async function lockForReverting(
  tx: Context,
  { blockchainId, toHeight }: { readonly blockchainId: number; readonly toHeight: number },
): Promise<void> {
  await lockMoney(tx, blockchainId)
  await lockWallets(tx, await listWalletsAbove(tx, blockchainId, toHeight))
}

/** Reverts every movement above a height, newest first, before the deposits that they may have spent (money.md 2.3). */
export async function revertMovements(
  ctx: Context,
  { blockchainId, toHeight }: { blockchainId: number; toHeight: number },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockForReverting(tx, { blockchainId, toHeight })
    const reverted = await moveReverted(tx, { blockchainId, toHeight })
    if (reverted.length === 0) return
    await reverse(tx, reverted.map(sourcesOf))
    await clearSpentOutside(tx, blockchainId, reverted)
  })
}

/** Balances of the accounts that movements take from, updated as entries are built. */
type Funds = Map<string, bigint>

function keyOf({ kind, owner, unitId }: Account): string {
  return `${kind} ${owner} ${unitId}`
}

async function fundsFor(ctx: Context, movements: readonly Movement[]): Promise<Funds> {
  const accounts = movements.flatMap((movement) => finalEntries(movement).flatMap(({ account }) => account ?? []))
  const held = await balancesOf(ctx, accounts)
  return new Map(accounts.map((account, at) => [keyOf(account), held[at] ?? 0n]))
}

/**
 * Builds the entries of a movement; null while an account holds too little. What an owner draws from a wallet is booked only up
 * to what the ledger holds there.
 */
function entriesWithin(funds: Funds, movement: Movement): Needed[] | null {
  const made = finalEntries(movement).flatMap((needed) => {
    if (needed.account === null || movement.kind !== 'drawn') return [needed]
    const held = funds.get(keyOf(needed.account)) ?? 0n
    return held > 0n ? [cappedAt(needed, held < needed.units ? held : needed.units)] : []
  })
  const isShort = ({ account, units }: Needed) => account !== null && (funds.get(keyOf(account)) ?? 0n) < units
  if (made.some(isShort)) return null
  for (const { entry } of made)
    for (const line of entry.lines) {
      for (const [account, sign] of [[line.debit, 1n] as const, [line.credit, -1n] as const]) {
        const held = funds.get(keyOf(account))
        if (held !== undefined) funds.set(keyOf(account), held + sign * line.units)
      }
    }
  return made
}
