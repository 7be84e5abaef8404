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
  /** Loads what was added since; returns the newest id. One load at a time. */
  readonly load: (ctx: Context) => Promise<bigint>
}

/** Keys per query while loading. */
const PAGE = 10_000

/** Starts with no address; the first `load` reads them all. */
export function knownAddresses(familyName: ChainFamily): KnownAddresses {
  const family = findFamily(familyName)
  if (!family) throw new Error(`Unknown family ${familyName}`)
  const filter = createAddressFilter()
  let newest = 0n
  let newestOwn = 0n
  let loading: Promise<void> = Promise.resolve()

  const loadMissing = async (ctx: Context) => {
    for (;;) {
      const page = await addressKeysAbove(ctx, family.id, newest, PAGE)
      for (const { id, key } of page) {
        filter.add(key)
        newest = id
      }
      if (page.length < PAGE) return
    }
  }

  const loadMissingOwn = async (ctx: Context) => {
    for (;;) {
      const page = await ownAddressesAbove(ctx, family.id, newestOwn, PAGE)
      for (const { id, key } of page) {
        filter.add(key)
        newestOwn = id
      }
      if (page.length < PAGE) return
    }
  }

  const load = async (ctx: Context) => {
    const mine = loading.then(() => loadMissing(ctx)).then(() => loadMissingOwn(ctx))
    loading = mine.catch(() => undefined)
    await mine
    noteFilter(familyName, filter.size())
    return newest
  }
  return { familyId: family.id, filter, load }
}
