import { findFamily, type ChainFamily } from '@kassa/primitives/chains/families.ts'

import type { Context } from '../../../context.ts'
import { ownAddressesAbove } from '../../wallets/own-addresses/service.ts'
import { addressKeysAbove } from '../../wallets/service.ts'
import { type AddressFilter, createAddressFilter } from './address-filter.ts'
import { noteFilter } from '../../../metrics/chain-metrics.ts'

/** The addresses of one family that this process knows; shared by the blockchains of the family. */
export type KnownAddresses = {
  readonly familyId: number
  readonly filter: AddressFilter
  /** Loads what was added since; returns the newest id of a deposit address. One load at a time. */
  readonly load: (ctx: Context) => Promise<bigint>
}

/** Keys per query while loading. */
const PAGE = 10_000

/** Starts with no address; the first `load` reads them all. */
export function knownAddresses(familyName: ChainFamily): KnownAddresses {
  const family = findFamily(familyName)
  if (!family) throw new Error(`Unknown family ${familyName}`)
  const accounts = createAddressFilter()
  // These addresses may be contracts, whose balance falls without a transaction of their own, so balances prove nothing about
  // them (0026).
  const contracts = createAddressFilter()
  let newest = 0n
  let newestOwn = 0n
  let loading: Promise<void> = Promise.resolve()

  const loadMissing = async (ctx: Context) => {
    await readPages(
      (limit) => addressKeysAbove(ctx, family.id, newest, limit),
      ({ id, key }) => {
        accounts.add(key)
        newest = id
      },
    )
    await readPages(
      (limit) => ownAddressesAbove(ctx, family.id, newestOwn, limit),
      ({ id, key, role }) => {
        ;(role === 'hot' ? accounts : contracts).add(key)
        newestOwn = id
      },
    )
  }

  const filter: AddressFilter = {
    add: accounts.add,
    has: (key) => accounts.has(key) || contracts.has(key),
    size: () => accounts.size() + contracts.size(),
    keys: accounts.keys,
  }
  const load = async (ctx: Context) => {
    const mine = loading.then(() => loadMissing(ctx))
    loading = mine.catch(() => undefined)
    await mine
    noteFilter(familyName, filter.size())
    return newest
  }
  return { familyId: family.id, filter, load }
}

async function readPages<Row>(
  read: (limit: number) => Promise<readonly Row[]>,
  take: (row: Row) => void,
): Promise<void> {
  for (;;) {
    const page = await read(PAGE)
    for (const row of page) take(row)
    if (page.length < PAGE) return
  }
}
