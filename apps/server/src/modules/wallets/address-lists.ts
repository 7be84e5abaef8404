import { InvalidInput } from '@kassa/chains/errors.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { NewAddressList, Wallet } from '@kassa/contract/wallets/schemas.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'

import { type Context, inTransaction } from '../../context.ts'
import { adapterOf } from '../blockchains/chains/service.ts'
import { walletChangeDelayHours } from './cold/service.ts'
import { mailAddressesAdded } from './linking/mail-addresses-added.ts'
import { updateListAlarm } from './pool.ts'
import { listedMac, macOf } from './sources/authenticity.ts'
import { chainOfFamily, type NewAddress } from './sources/derive.ts'
import { listSources, upsertList } from './sources/store.ts'
import { hasOpenAddress, lockDerivation, insertAddresses, listAddressesByKeys, type ProjectWallet } from './store.ts'
import { lockWallet } from './wallet/store.ts'

/** A list whose addresses are all proven, before its wallet is known. */
export type CheckedList = {
  readonly familyId: number
  readonly items: readonly Omit<NewAddress, 'wallet_id' | 'family_id'>[]
}

/**
 * Checks that each address of a list is valid and occurs once, and that its key signed for its place in the list.
 * @throws FAMILY_UNSUPPORTED, ADDRESS_INVALID
 */
export function checkList(ctx: Context, { family: name, addresses }: NewAddressList): CheckedList {
  const family = findFamily(name) ?? fail('FAMILY_UNSUPPORTED')
  const adapter = adapterOf(family.family)
  if (!adapter?.lists)
    return fail('FAMILY_UNSUPPORTED', { details: 'Addresses of this family are derived from a key.' })
  const { addresses: codec, lists } = adapter
  const chain = chainOfFamily(adapter, ctx.config.network)
  const seen = new Set<string | number>()
  const items = addresses.map(({ address, index, signature }) => {
    try {
      codec.parse(chain, address)
    } catch (thrown) {
      if (thrown instanceof InvalidInput) return refuse(index, thrown.message)
      throw thrown
    }
    if (seen.has(address) || seen.has(index)) return refuse(index, 'It is in the list twice.')
    if (!lists.isProven(chain, { address, index, signature })) {
      return refuse(index, 'Its signature does not prove that its key exists. Make the list with the signer again.')
    }
    seen.add(address).add(index)
    const key = Buffer.from(codec.key(chain, address))
    return { key, address, derivation_index: index, path: chain.blockchain.depositPath.replace('i', String(index)) }
  })
  return { familyId: family.id, items }
}

function refuse(index: number, reason: string): never {
  const message = `Address ${index} of the list: ${reason}`
  return fail('ADDRESS_INVALID', { details: message, fields: { addresses: message } })
}

/**
 * Adds a checked list to a wallet, as its first list or after the addresses it has; customers get them from `usableAt` on, or at
 * once. @throws ADDRESS_IS_OURS
 */
export async function addList(
  tx: Context,
  walletId: number,
  { familyId, items }: CheckedList,
  usableAt: Date | null = null,
): Promise<void> {
  const source = { kind: 'list', wallet_id: walletId, family_id: familyId } as const
  await lockDerivation(tx, familyId)
  const keys = items.map(({ key }) => key)
  const [known] = await listAddressesByKeys(tx, familyId, keys)
  if (known) fail('ADDRESS_IS_OURS', { details: `${known.address} belongs to a wallet of this install already.` })
  const next_index = Math.max(...items.map(({ derivation_index: index }) => index)) + 1
  await upsertList(tx, { wallet_id: walletId, family_id: familyId, next_index, mac: macOf(tx, source) })
  const rows = items.map((item) => ({ wallet_id: walletId, family_id: familyId, ...item }))
  await insertAddresses(
    tx,
    rows.map((row) => ({ ...row, mac: listedMac(tx, row), usable_at: usableAt })),
  )
  await updateListAlarm(tx, { walletId, familyId })
}

const HOUR_MS = 3_600_000

/**
 * Adds addresses to the list of a wallet. Their proofs say that their keys exist, not whose they are: like another wallet in place
 * of this one they redirect the money of new customers, so they wait as long (0071), and every root is mailed.
 * @throws FAMILY_MISMATCH when it has no list of the family, ADDRESS_INVALID, ADDRESS_IS_OURS
 */
export async function addListedAddresses(ctx: Context, wallet: Wallet, input: NewAddressList): Promise<void> {
  const list = checkList(ctx, input)
  await inTransaction(ctx, async (tx) => {
    await lockWallet(tx, wallet.id)
    await lockDerivation(tx, list.familyId)
    const source = (await listSources(tx, [wallet.id])).find(({ family_id: id }) => id === list.familyId)
    if (source?.kind !== 'list') fail('FAMILY_MISMATCH')
    const first = Math.min(...list.items.map(({ derivation_index: index }) => index))
    if (source && first < source.next_index) {
      const message = `The list goes on with address ${source.next_index}.`
      fail('ADDRESS_INVALID', { details: message, fields: { addresses: message } })
    }
    const hours = walletChangeDelayHours(tx)
    const usableAt = hours === 0 ? null : new Date(tx.now().getTime() + hours * HOUR_MS)
    await addList(tx, wallet.id, list, usableAt)
    await mailAddressesAdded(tx, { wallet, count: list.items.length, usableAt })
    await tx.events.emit(tx, { type: 'wallet.changed', projectId: null, payload: { wallet_id: wallet.id } })
    const added = { added: list.items.length, firstIndex: first, ...(usableAt && { usableAt }) }
    tx.change(null, { walletID: wallet.id, family: input.family, ...added })
  })
}

/** The families in which no new customer of a project gets an address from these wallets: their lists are used up. */
export async function familiesWithoutAddresses(
  ctx: Context,
  wallets: readonly ProjectWallet[],
): Promise<ReadonlySet<number>> {
  const without = new Set<number>()
  for (const { id, familyId } of wallets) {
    if (isOfLists(familyId) && !(await hasOpenAddress(ctx, id, familyId))) without.add(familyId)
  }
  return without
}

function isOfLists(familyId: number): boolean {
  const family = findFamily(familyId)
  return family !== undefined && adapterOf(family.family)?.lists !== undefined
}
