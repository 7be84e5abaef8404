import type { Account, Entry, Line } from '../ledger/service.ts'
import type { Movement, Side } from './movement.ts'

/** An entry of a movement, and the account that must hold so much for it. */
export type Needed = { readonly entry: Entry; readonly account: Account | null; readonly units: bigint }

/** What the sources of all entries of a movement start with. */
export function sourcesOf({ id }: Pick<Movement, 'id'>): string {
  return `movement:${id}:`
}

/**
 * The entries of a final movement (money.md 4.3): one for each side that no other module books. Sends and sweeps book what the
 * server sent itself, an operator books drawn deposits.
 */
export function finalEntries(movement: Movement): Needed[] {
  const { kind, from, to, assetId: unitId } = movement
  if (isToItself(movement)) return []
  const needed: Needed[] = []
  if (kind === 'spent-outside' && from)
    needed.push(taken(movement, 'hot.spent-outside', 'spent', coinsAt(from, unitId)))
  if (kind === 'foreign-sweep' && from && to) {
    const account = coinsAt(from, unitId)
    const { units, fee } = movement
    const lines = linesTo({ units, fee, projectId: from.projectId, debit: coinsAt(to, unitId), credit: account })
    needed.push({ entry: entryOf(movement, 'sweep.foreign', 'foreign', lines), account, units })
  }
  if (kind === 'drawn' && from?.role === 'cold')
    needed.push(taken(movement, 'cold.drawn', 'drawn', coinsAt(from, unitId)))
  if (to?.role === 'hot') needed.push(brought(movement, to, 'hot.funded'))
  if (to?.role === 'deposit' && kind !== 'topup') needed.push(brought(movement, to, 'deposit.funded'))
  return needed
}

/** The entry of a deposit that its owner moved with their own key, once an operator books it (`deposit.drawn`). */
export function drawnEntry(movement: Movement): Entry {
  if (!movement.from) throw new Error(`Movement ${movement.id} leaves no address of ours`)
  return taken(movement, 'deposit.drawn', 'drawn', coinsAt(movement.from, movement.assetId)).entry
}

/** Whether it changes nothing: it went from an address to itself. */
function isToItself({ fromAddress, toAddress }: Pick<Movement, 'fromAddress' | 'toAddress'>): boolean {
  return fromAddress === toAddress
}

/** Limits an entry to what its account holds: the owner may have held more there than came from Kassa. */
export function cappedAt({ entry, account }: Needed, units: bigint): Needed {
  return { entry: { ...entry, lines: entry.lines.map((line) => ({ ...line, units })) }, account, units }
}

function taken(movement: Movement, posting: string, event: string, account: Account): Needed {
  const debit = {
    kind: 'owner:drawn',
    owner: `wallet:${movement.from?.walletId ?? 0}`,
    unitId: movement.assetId,
  } as const
  const { units } = movement
  return { entry: entryOf(movement, posting, event, [{ debit, credit: account, units }]), account, units }
}

/** Lines for what arrives at an account, and for the fee that the network took out of it (BTC: the coins that move pay it). */
export function linesTo(
  move: Pick<Movement, 'units' | 'fee'> & Omit<Line, 'units'> & { readonly projectId: number | null },
): Line[] {
  const { units, fee, projectId, debit, credit } = move
  const { unitId } = debit
  const arrived = { debit, credit, units: units - fee }
  if (fee === 0n) return [arrived]
  const owner = projectId === null ? ('install:0' as const) : (`project:${projectId}` as const)
  return [arrived, { debit: { kind: 'fees:network', owner, unitId }, credit, units: fee }]
}

function brought(movement: Movement, to: Side, posting: string): Needed {
  const { assetId: unitId } = movement
  const credit = { kind: 'owner:funding', owner: `wallet:${to.walletId ?? 0}`, unitId } as const
  const units = movement.units - movement.fee
  return {
    entry: entryOf(movement, posting, 'funded', [{ debit: coinsAt(to, unitId), credit, units }]),
    account: null,
    units,
  }
}

function coinsAt({ role, addressId, walletId }: Side, unitId: number): Account {
  if (role === 'deposit') return { kind: 'chain:deposit-addresses', owner: `address:${addressId}`, unitId }
  return { kind: role === 'hot' ? 'chain:hot' : 'chain:cold', owner: `wallet:${walletId ?? 0}`, unitId }
}

/** From the second revision on, the source ends with its number, because each revision posts the same events. */
function entryOf(movement: Movement, posting: string, event: string, lines: readonly Line[]): Entry {
  const { revision, blockchainId, height, from, to } = movement
  return {
    posting,
    source: `${sourcesOf(movement)}${event}${revision > 1 ? `:${revision}` : ''}`,
    projectId: from?.projectId ?? to?.projectId ?? null,
    at: { blockchainId, height },
    lines,
  }
}
