import { TOKEN_PROGRAM } from '@kassa/keys/solana/movement.ts'
import type { BlockRef, Chain, Leg, Transfer, TransferFilter } from '../../adapter.ts'
import { addressKey } from '../addresses/addresses.ts'
import { tokenAccountOf } from '../addresses/token-accounts.ts'
import type { WireTransaction } from '../encoding/wire.ts'

/** What a reading looks for: the native asset and mints, and the addresses concerned. */
export type ReadScope = {
  readonly native: number | null
  readonly tokens: ReadonlyMap<string, number>
  /** Null: all addresses. */
  readonly isOurs: ((address: string) => boolean) | null
}

/** Looks for wanted assets that reach or leave a matched address; the caller decides which of them are deposits (W-12). */
export function readScopeOf(chain: Chain, { assets, matches }: TransferFilter): ReadScope {
  return { ...assetsInScope(chain, assets), isOurs: (address) => matches(addressKey(address)) }
}

/** Looks for every transfer of every asset of the chain. */
export function fullReadScope(chain: Chain): ReadScope {
  return { ...assetsInScope(chain, new Set(chain.assets.map(({ id }) => id))), isOurs: null }
}

/**
 * Lists what a transaction moved, by what accounts held before and after it (money.md 2.4): this is what arrived, whatever the
 * instructions were. A token counts only in the account that is computed from its owner and mint, and only under the classic
 * program. A failed transaction moves nothing but its fee.
 */
export function transfersIn({ native, tokens, isOurs }: ReadScope, block: BlockRef, tx: WireTransaction): Transfer[] {
  if (!tx.isSuccess) return []
  const placed = { txId: tx.txId, block, evidence: 'delta', kind: 'delta' } as const
  const print =
    (assetId: number) =>
    (move: Move): Transfer => ({
      ...placed,
      assetId,
      senders: move.senders,
      to: move.to.owner,
      units: move.units,
      leg: `delta:${move.to.account}` as Leg,
    })
  const coins = native === null ? [] : movesBetween(coinChanges(tx), isOurs).map(print(native))
  const moved = [...tokens].flatMap(([mint, assetId]) =>
    movesBetween(tokenChanges(tx, mint, isOurs), isOurs).map(print(assetId)),
  )
  return [...coins, ...moved]
}

/** By how much what an owner holds in an account rose; negative where it fell. */
type Change = { readonly account: string; readonly owner: string; readonly units: bigint }
type Move = { readonly to: Change; readonly senders: string[]; readonly units: bigint }

/** The fee is not a transfer: the payer's change is reduced by it. */
function coinChanges({ accounts, fee }: WireTransaction): Change[] {
  return accounts
    .map(({ address, before, after }, at) => ({
      account: address,
      owner: address,
      units: after - before + (at === 0 ? fee : 0n),
    }))
    .filter(({ units }) => units !== 0n)
}

/** Only the computed token account of our address counts: payers are asked to pay to no other one. */
function tokenChanges({ tokens }: WireTransaction, mint: string, isOurs: ReadScope['isOurs']): Change[] {
  return tokens
    .filter((one) => one.mint === mint && one.program === TOKEN_PROGRAM && one.owner !== '' && one.before !== one.after)
    .filter(({ account, owner }) => !(isOurs?.(owner) ?? true) || tokenAccountOf(owner, mint) === account)
    .map(({ account, owner, before, after }) => ({ account, owner, units: after - before }))
}

/**
 * Pairs gains with losses. The gain of an address of ours is exact; its loss is shown as moved to those who gained, in their
 * order, until all of it is assigned.
 */
function movesBetween(changes: readonly Change[], isOurs: ReadScope['isOurs']): Move[] {
  if (changes.length === 0) return []
  const ours = new Set(isOurs ? changes.filter(({ owner }) => isOurs(owner)) : [])
  if (isOurs && ours.size === 0) return []
  const losers = changes.filter(({ units }) => units < 0n).toSorted((a, b) => Number(a.units - b.units))
  const ourLosers = losers.filter((one) => ours.has(one))
  const senders = namesOf([...ourLosers, ...losers])
  const gainers = changes.filter(({ units }) => units > 0n)
  const moves: Move[] = gainers
    .filter((one) => !isOurs || ours.has(one))
    .map((to) => ({ to, senders, units: to.units }))
  let left = ourLosers.reduce((sum, { units }) => sum - units, 0n) - moves.reduce((sum, { units }) => sum + units, 0n)
  for (const to of gainers) {
    if (left <= 0n) break
    if (ours.has(to)) continue
    const units = to.units < left ? to.units : left
    left -= units
    moves.push({ to, senders: namesOf(ourLosers), units })
  }
  return moves
}

function namesOf(changes: readonly Change[]): string[] {
  return [...new Set(changes.map(({ owner }) => owner))]
}

function assetsInScope(chain: Chain, assets: ReadonlySet<number>): Pick<ReadScope, 'native' | 'tokens'> {
  const wanted = chain.assets.filter(({ id }) => assets.has(id))
  return {
    native: wanted.find(({ standard }) => standard === 'native')?.id ?? null,
    tokens: new Map(wanted.filter(({ standard }) => standard === 'SPL').map(({ address, id }) => [address, id])),
  }
}
