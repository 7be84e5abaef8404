/** What sweeps post to the ledger (money.md 4.3): coins leave deposit addresses, are on their way, and arrive or return. */
import type { Account, Entry } from '../../ledger/service.ts'
import { linesTo } from '../../movements/service.ts'
import type { ItemRow, SweepRow } from './tables.ts'

type Posted = Pick<SweepRow, 'id' | 'asset_id' | 'blockchain_id'>
/** `entries` already counts the entry that is posted now. */
type Item = Pick<ItemRow, 'address_id' | 'project_id' | 'units' | 'entries'>

/** What the sources of all entries of a sweep start with. */
export function sourcesOf({ id }: Pick<SweepRow, 'id'>): string {
  return `sweep:${id}:`
}

/** Coins leave their addresses: one entry for each project whose money it is. */
export function startEntries(sweep: Posted, items: readonly Item[]): Entry[] {
  return [...Map.groupBy(items, ({ project_id }) => project_id)].map(([projectId, some]) => ({
    posting: 'sweep.start',
    source: `${sourcesOf(sweep)}start:${projectId ?? 0}`,
    projectId,
    at: null,
    lines: some.map((item) => ({ debit: transit(sweep), credit: onAddress(sweep, item), units: BigInt(item.units) })),
  }))
}

/** The same for one address that was released, and whose money moved after all. */
export function restartEntry(sweep: Posted, item: Item): Entry {
  const lines = [{ debit: transit(sweep), credit: onAddress(sweep, item), units: BigInt(item.units) }]
  return entryOf(sweep, item, { posting: 'sweep.start', event: 'restart', lines, at: null })
}

/** Coins arrived at the collector, as the chain proves, minus the network's fee. */
export function settleEntry(
  sweep: Posted,
  item: Item,
  { coldWalletId, height, fee }: { readonly coldWalletId: number; readonly height: number; readonly fee: bigint },
): Entry {
  const cold: Account = { kind: 'chain:cold', owner: `wallet:${coldWalletId}`, unitId: sweep.asset_id }
  const units = BigInt(item.units)
  const lines = linesTo({ units, fee, projectId: item.project_id, debit: cold, credit: transit(sweep) })
  const at = { blockchainId: sweep.blockchain_id, height }
  return entryOf(sweep, item, { posting: 'sweep.settle', event: 'settle', lines, at })
}

/** The source of an item's settlement in force. */
export function settleSource({ id }: Pick<SweepRow, 'id'>, item: Pick<Item, 'address_id' | 'entries'>): string {
  return `sweep:${id}:settle:${item.address_id}:${item.entries}`
}

/** Coins are back at their address: the transaction left them out or was abandoned, or their deposit was reverted. */
export function releaseEntry(sweep: Posted, item: Item): Entry {
  const lines = [{ debit: onAddress(sweep, item), credit: transit(sweep), units: BigInt(item.units) }]
  return entryOf(sweep, item, { posting: 'sweep.release', event: 'release', lines, at: null })
}

type Part = Pick<Entry, 'posting' | 'lines' | 'at'> & { readonly event: 'restart' | 'settle' | 'release' }

function entryOf(sweep: Posted, item: Item, { event, ...rest }: Part): Entry {
  return {
    ...rest,
    source: `${sourcesOf(sweep)}${event}:${item.address_id}:${item.entries}`,
    projectId: item.project_id,
  }
}

function transit({ id, asset_id: unitId }: Posted): Account {
  return { kind: 'chain:transit', owner: `sweep:${id}`, unitId }
}

function onAddress({ asset_id: unitId }: Posted, { address_id }: Pick<Item, 'address_id'>): Account {
  return { kind: 'chain:deposit-addresses', owner: `address:${address_id}`, unitId }
}
