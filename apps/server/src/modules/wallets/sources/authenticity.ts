/**
 * Addresses in the database are verified before use: the keys of wallets carry a MAC whose key is outside of the database, and
 * an address is derived from its key again before anybody is asked to pay to it (docs/decisions/0022).
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

import type { AlarmParams } from '@kassa/contract/alarms/catalogue.ts'
import { ApiError, fail } from '@kassa/contract/kit/api-error.ts'

import { keyFor } from '../../../config/keys.ts'
import { asSystem, type Context, inTransaction } from '../../../context.ts'
import { remembered } from '../../../memory.ts'
import { raiseAlarm } from '../../alarms/service.ts'
import { deriveFrom, type NewAddress } from './derive.ts'
import {
  type AddressSource,
  type DerivedSource,
  findAuthentication,
  findListedMac,
  insertAuthentication,
  listAllXpubs,
  listSources,
  lockAuthentication,
  setXpubMac,
  type XpubRow,
} from './store.ts'

/** What the MAC of a wallet's key or contract covers: everything that an address is derived from. */
type Authenticated =
  | (Pick<XpubRow, 'wallet_id' | 'family_id' | 'xpub' | 'fingerprint' | 'path'> & { readonly kind?: 'xpub' })
  | Pick<Extract<AddressSource, { kind: 'create2' }>, 'kind' | 'wallet_id' | 'family_id' | 'vault' | 'creator' | 'salt'>
  | Pick<Extract<AddressSource, { kind: 'list' }>, 'kind' | 'wallet_id' | 'family_id'>

/** An address with its source and index. */
export type DerivedAddress = Pick<NewAddress, 'wallet_id' | 'family_id' | 'derivation_index' | 'address'>

/**
 * Verified sources by wallet and family, and addresses derived from them by index. Neither ever changes, so they are
 * remembered.
 */
const genuine = remembered(() => ({ sources: new Map<string, AddressSource>(), addresses: new Map<string, string>() }))

/** Derived addresses that are remembered: two megabytes, and a derivation takes half a millisecond. */
const MOST_REMEMBERED = 10_000

/** The context for alarms that must outlast the transaction which is refused because of them. */
const program = remembered((): { ctx?: Context } => ({}))

/** Returns the MAC of what a wallet's addresses are derived from, 32 bytes. */
export function macOf(ctx: Context, row: Authenticated): Buffer {
  if (row.kind === 'list') return rowMac(ctx, [row.kind, row.wallet_id, row.family_id])
  return rowMac(ctx, row.kind === 'create2' ? partsOf(row) : xpubParts(row))
}

/** Returns the MAC of an address that was uploaded, 32 bytes. */
export function listedMac(ctx: Context, row: DerivedAddress): Buffer {
  return rowMac(ctx, ['listed', row.wallet_id, row.family_id, row.derivation_index, row.address])
}

/** Returns the MAC of a row that must be changed by this program alone, 32 bytes; its first part names the kind of row. */
export function rowMac(ctx: Context, parts: readonly (string | number | null)[]): Buffer {
  return createHmac('sha256', keyFor(ctx, 'addresses')).update(JSON.stringify(parts)).digest()
}

/** Rows of keys begin with the wallet's number; rows of other kinds begin with a word, so that they cannot be confused. */
function xpubParts(row: Extract<Authenticated, { xpub: string }>) {
  return [row.wallet_id, row.family_id, row.xpub, row.fingerprint, row.path]
}

function partsOf(row: Extract<Authenticated, { vault: string }>) {
  return [row.kind, row.wallet_id, row.family_id, row.vault, row.creator, row.salt]
}

/**
 * Returns the source of a wallet's addresses in a family, as an operator of this install added it.
 * @throws NO_DEPOSIT_ADDRESS when it has none, SERVICE_UNAVAILABLE when the row was changed without this program
 */
export async function genuineSource(ctx: Context, walletId: number, familyId: number): Promise<AddressSource> {
  const { sources } = genuine(ctx)
  const name = `${walletId}:${familyId}`
  const known = sources.get(name)
  if (known) return known
  const rows = await listSources(ctx, [walletId])
  const row = rows.find((one) => one.family_id === familyId) ?? fail('NO_DEPOSIT_ADDRESS')
  if (row.mac === null || !timingSafeEqual(row.mac, macOf(ctx, row))) {
    return refuse(ctx, walletId, { xpub: 'xpub', create2: 'vault', list: 'address' }[row.kind] as ForgedPart)
  }
  sources.set(name, row)
  return row
}

/** Makes sure that an address is the one its wallet derives. @throws SERVICE_UNAVAILABLE and raises an alarm otherwise */
export async function requireGenuine(ctx: Context, row: DerivedAddress): Promise<void> {
  const source = await genuineSource(ctx, row.wallet_id, row.family_id)
  if (source.kind === 'list') {
    if (await isListed(ctx, row)) return
  } else if ((await derivedAddress(ctx, source, row.derivation_index)) === row.address) return
  refuse(ctx, row.wallet_id, 'address')
}

/** Authenticates once the keys that a version without MACs stored; a row without a MAC that appears later is not genuine. */
export async function authenticateFormerKeys(ctx: Context): Promise<void> {
  program(ctx).ctx = ctx
  if (!ctx.keys.has('addresses') || (await findAuthentication(ctx))) return
  await inTransaction(ctx, async (tx) => {
    await lockAuthentication(tx)
    if (await findAuthentication(tx)) return
    const rows = await listAllXpubs(tx)
    // All keys get their MAC together with the note about it: if some have a MAC and the note is missing, someone has removed
    // the note.
    const isUntouched = rows.every(({ mac }) => mac === null)
    for (const row of isUntouched ? rows : []) await setXpubMac(tx, row, macOf(tx, row))
    if (isUntouched && rows.length > 0) tx.log.warn({ keys: rows.length }, 'authenticated the keys of deposit wallets')
    if (isUntouched) await insertAuthentication(tx)
  })
}

/** An uploaded address cannot be derived again, so its row carries the MAC that it was stored with. */
async function isListed(ctx: Context, row: DerivedAddress): Promise<boolean> {
  const { addresses } = genuine(ctx)
  const name = `${row.wallet_id}:${row.family_id}:${row.derivation_index}`
  const known = addresses.get(name)
  if (known !== undefined) return known === row.address
  const mac = await findListedMac(ctx, row)
  if (!mac || !timingSafeEqual(mac, listedMac(ctx, row))) return false
  if (addresses.size >= MOST_REMEMBERED) addresses.clear()
  addresses.set(name, row.address)
  return true
}

async function derivedAddress(ctx: Context, source: DerivedSource, index: number): Promise<string> {
  const { addresses } = genuine(ctx)
  const name = `${source.wallet_id}:${source.family_id}:${index}`
  const known = addresses.get(name)
  if (known !== undefined) return known
  const [derived] = deriveFrom(ctx, source, { first: index, count: 1 })
  if (!derived) throw new Error(`No address of index ${index} was derived`)
  if (addresses.size >= MOST_REMEMBERED) addresses.clear()
  addresses.set(name, derived.address)
  return derived.address
}

type ForgedPart = 'address' | 'xpub' | 'vault'

function refuse(ctx: Context, walletID: number, what: ForgedPart): never {
  return refuseForged(ctx, `wallet ${walletID}`, { walletID, what })
}

const NOT_SHOWN = 'No deposit address can be shown.'

/** Whether an error comes from `refuseForged`: it concerns one row and no other. */
export function isForged(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE' && error.message === NOT_SHOWN
}

/**
 * Raises an alarm about a row that was changed without this program, and returns nothing of it. @throws SERVICE_UNAVAILABLE
 * always
 */
export function refuseForged(ctx: Context, subject: string, params: AlarmParams<'address_forged'>): never {
  const { ctx: outside } = program(ctx)
  const alarm = { kind: 'address_forged', subject, params } as const
  ctx.log.error(params, 'changed in the database past Kassa')
  if (outside) {
    // Not awaited: the refused transaction may hold a lock that the alarm would wait for.
    void inTransaction(asSystem(outside), (tx) => raiseAlarm(tx, alarm)).catch((err: unknown) =>
      ctx.log.error({ err }, 'the alarm was not raised'),
    )
  }
  return fail('SERVICE_UNAVAILABLE', {
    message: NOT_SHOWN,
    details: 'An address does not belong to its wallet. The operators of this server were notified.',
  })
}
