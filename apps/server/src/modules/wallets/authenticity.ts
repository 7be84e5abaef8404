/**
 * What the database says of addresses is not believed by itself: the keys of wallets carry a MAC whose key is outside of it,
 * and an address is derived from its key again before anybody is asked to pay to it (docs/decisions/0022).
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

import { fail } from '@kassa/contract/kit/api-error.ts'

import { keyFor } from '../../config/keys.ts'
import { asSystem, type Context, inTransaction } from '../../context.ts'
import { remembered } from '../../memory.ts'
import { raiseAlarm } from '../alarms/service.ts'
import { deriveFrom } from './derive.ts'
import {
  findAuthentication,
  insertAuthentication,
  listAllXpubs,
  listXpubs,
  lockAuthentication,
  setXpubMac,
  type StoredAddress,
  type XpubRow,
} from './store.ts'

/** What the MAC of a wallet's key covers: all that an address is derived from. */
type Authenticated = Pick<XpubRow, 'wallet_id' | 'family_id' | 'xpub' | 'fingerprint' | 'path'>

/** An address with what it is derived from. */
export type DerivedAddress = Pick<StoredAddress, 'wallet_id' | 'family_id' | 'derivation_index' | 'address'>

/** Genuine keys by wallet and family, and addresses derived from them by index: neither ever changes. */
const genuine = remembered(() => ({ xpubs: new Map<string, XpubRow>(), addresses: new Map<string, string>() }))

/** Derived addresses that are remembered: two megabytes, and a derivation takes half a millisecond. */
const MOST_REMEMBERED = 10_000

/** Where alarms are raised that must outlast the transaction which is refused because of them. */
const program = remembered((): { ctx?: Context } => ({}))

/** Returns the MAC of a wallet's key, 32 bytes. */
export function macOf(ctx: Context, row: Authenticated): Buffer {
  const { wallet_id, family_id, xpub, fingerprint, path } = row
  const text = JSON.stringify([wallet_id, family_id, xpub, fingerprint, path])
  return createHmac('sha256', keyFor(ctx, 'addresses')).update(text).digest()
}

/**
 * Returns the key of a wallet in a family that an operator of this install has added.
 * @throws NO_DEPOSIT_ADDRESS when it has none, SERVICE_UNAVAILABLE when the row was changed past the program
 */
export async function genuineXpub(ctx: Context, walletId: number, familyId: number): Promise<XpubRow> {
  const { xpubs } = genuine(ctx)
  const name = `${walletId}:${familyId}`
  const known = xpubs.get(name)
  if (known) return known
  const row = (await listXpubs(ctx, [walletId])).find((one) => one.family_id === familyId) ?? fail('NO_DEPOSIT_ADDRESS')
  if (row.mac === null || !timingSafeEqual(row.mac, macOf(ctx, row))) {
    return refuse(ctx, walletId, 'xpub')
  }
  xpubs.set(name, row)
  return row
}

/** Makes sure that an address is the one its wallet's key derives. @throws SERVICE_UNAVAILABLE and raises an alarm otherwise */
export async function requireGenuine(ctx: Context, row: DerivedAddress): Promise<void> {
  const xpub = await genuineXpub(ctx, row.wallet_id, row.family_id)
  if ((await derivedAddress(ctx, xpub, row.derivation_index)) === row.address) return
  refuse(ctx, row.wallet_id, 'address')
}

/** Authenticates the keys that a former version of Kassa left, once: a row without a MAC that appears later is not genuine. */
export async function authenticateFormerKeys(ctx: Context): Promise<void> {
  program(ctx).ctx = ctx
  if (!ctx.keys.has('addresses') || (await findAuthentication(ctx))) return
  await inTransaction(ctx, async (tx) => {
    await lockAuthentication(tx)
    if (await findAuthentication(tx)) return
    const rows = await listAllXpubs(tx)
    // All are filled in together with the note that they were: some of them with a MAC mean that the note was taken away.
    const isUntouched = rows.every(({ mac }) => mac === null)
    for (const row of isUntouched ? rows : []) await setXpubMac(tx, row, macOf(tx, row))
    if (isUntouched && rows.length > 0) tx.log.warn({ keys: rows.length }, 'authenticated the keys of deposit wallets')
    if (isUntouched) await insertAuthentication(tx)
  })
}

async function derivedAddress(ctx: Context, xpub: XpubRow, index: number): Promise<string> {
  const { addresses } = genuine(ctx)
  const name = `${xpub.wallet_id}:${xpub.family_id}:${index}`
  const known = addresses.get(name)
  if (known !== undefined) return known
  const [derived] = deriveFrom(ctx, xpub, { first: index, count: 1 })
  if (!derived) throw new Error(`No address of index ${index} was derived`)
  if (addresses.size >= MOST_REMEMBERED) addresses.clear()
  addresses.set(name, derived.address)
  return derived.address
}

function refuse(ctx: Context, walletID: number, what: 'address' | 'xpub'): never {
  const { ctx: outside } = program(ctx)
  const alarm = { kind: 'address_forged', subject: `wallet ${walletID}`, params: { walletID, what } } as const
  ctx.log.error({ walletID, what }, 'changed in the database past Kassa')
  if (outside) {
    // Not awaited: the transaction that is refused may hold what the alarm would wait for.
    void inTransaction(asSystem(outside), (tx) => raiseAlarm(tx, alarm)).catch((err: unknown) =>
      ctx.log.error({ err }, 'the alarm was not raised'),
    )
  }
  return fail('SERVICE_UNAVAILABLE', {
    message: 'No deposit address can be shown.',
    details: 'An address does not belong to its wallet. The operators of this server were notified.',
  })
}
