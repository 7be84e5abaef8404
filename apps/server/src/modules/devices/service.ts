/**
 * Signing devices (api.md C7, C8): phones and programs with the keys of a wallet, which fetch batches of sweeps and return them
 * signed. An operator shows a code; the device sends it and gets a credential of its own.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { fail } from '@kassa/contract/kit/api-error.ts'

import { keyFor } from '../../config/keys.ts'
import { type Context, inTransaction } from '../../context.ts'
import { type DeviceFacts, hashCredential } from '../../credentials.ts'
import { job } from '../../jobs/jobs.ts'
import { recordByProgram } from '../audit/service.ts'
import { sendEmail, acceptsEmails } from '../mail/service.ts'
import { findOperator, grantsOf, rootEmails } from '../operators/accounts/service.ts'
import { devicePaired } from './emails.ts'
import { codeOf, readPublicKey } from './codes.ts'
import {
  countTry,
  findByKey,
  insertDevice,
  listPaired,
  lockPaired,
  lockPairings,
  openPairing,
  type ShownDevice,
  updateAllUnpaired,
  updateUnpaired,
  usePairing,
} from './store.ts'

/** How long a code can pair a device. */
const CODE_MS = 5 * 60_000

/** As random as every other credential (api.md 2.1). */
const KEY_BYTES = 32

type Mail = { readonly to: string; readonly name: string; readonly by: string; readonly at: string }

export const mailDeviceJob = job({
  queue: 'devices.mail-paired',
  worker: 'email-processor',
  async run(ctx: Context, { to, at, ...device }: Mail) {
    if (await acceptsEmails(ctx)) await sendEmail(ctx, { to, message: devicePaired({ ...device, at: new Date(at) }) })
  },
})

/**
 * The code that pairs a device now, the same one as long as it is valid; null unless the operator may pair devices and has
 * recently proved presence.
 */
export async function pairingCode(ctx: Context): Promise<{ readonly code: string; readonly expiresAt: Date } | null> {
  const { caller } = ctx
  if (caller.kind !== 'operator' || !caller.grants.install.has('system:operate')) return null
  if (caller.stepUpUntil === null || caller.stepUpUntil <= ctx.now()) return null
  const expiresAt = new Date(ctx.now().getTime() + CODE_MS)
  const row = await openPairing(ctx, { operatorId: caller.operatorId, nonce: randomBytes(16), expiresAt })
  return { code: codeOf(keyFor(ctx, 'codes'), row), expiresAt: row.expires_at }
}

type Asking = { readonly code: string; readonly deviceName: string; readonly publicKey: string }

/**
 * Pairs a device, and returns its credential, of which only the hash is stored. A device that was paired before stays the same
 * one, and its earlier credential ends.
 * @throws PAIRING_CODE_INVALID, VALIDATION_FAILED
 */
export async function pairDevice(ctx: Context, { code, deviceName: name, publicKey }: Asking): Promise<string> {
  const fields = { publicKey: 'The public key is no key of Ed25519' }
  const bytes = readPublicKey(publicKey) ?? fail('VALIDATION_FAILED', { message: fields.publicKey, fields })
  const key = `kd_${randomBytes(KEY_BYTES).toString('base64url')}`
  const isPaired = await inTransaction(ctx, async (tx) => {
    const open = await lockPairings(tx)
    const pairing = open.find((row) => isSame(codeOf(keyFor(tx, 'codes'), row), code.replaceAll(/\s/g, '')))
    const operator = pairing && (await pairingOperator(tx, pairing.operator_id))
    if (!pairing || !operator) {
      await countTry(
        tx,
        open.map(({ id }) => id),
      )
      return false
    }
    await usePairing(tx, pairing.id)
    const { operator_id: operatorId } = pairing
    const device = { name, public_key: bytes, key_hash: hashCredential(key), paired_by: operatorId }
    const { id } = await insertDevice(tx, device)
    const { email } = operator
    tx.change(null, { deviceID: id, name }, { actor: { operatorId, email } })
    const mail = { name, by: email, at: tx.now().toISOString() }
    if (await acceptsEmails(tx)) for (const to of await rootEmails(tx)) await mailDeviceJob.send(tx, { ...mail, to })
    return true
  })
  return isPaired ? key : fail('PAIRING_CODE_INVALID')
}

/** The operator of a code or a device; null once they lost their access, or may pair no device any more (decision 0052). */
async function pairingOperator(tx: Context, operatorId: number) {
  const operator = await findOperator(tx, operatorId)
  const isPermitted = (await grantsOf(tx, operatorId)).install.has('system:operate')
  return operator?.state === 'active' && isPermitted ? operator : null
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * The device of a credential; null when none is paired with it. One whose operator may pair devices no more is unpaired, and the
 * activity log says so: whoever left took the phone along.
 */
export async function findDevice(ctx: Context, keyHash: Buffer): Promise<DeviceFacts | null> {
  const row = await findByKey(ctx, keyHash)
  if (!row) return null
  if (await pairingOperator(ctx, row.paired_by)) return { deviceId: row.id, name: row.name }
  await inTransaction(ctx, async (tx) => {
    // Of several calls at once, one unpairs it.
    const name = await updateUnpaired(tx, row.id)
    if (name !== undefined) await recordByProgram(tx, 'endDevice', { deviceID: row.id, name })
  })
  return null
}

/**
 * Makes sure that a device is still paired, by somebody who still may, and keeps it so until the transaction ends.
 * @throws UNAUTHORIZED
 */
export async function requirePaired(tx: Context, deviceId: number): Promise<void> {
  const pairedBy = await lockPaired(tx, deviceId)
  if (pairedBy === undefined || !(await pairingOperator(tx, pairedBy))) fail('UNAUTHORIZED')
}

/** The devices that are paired, newest first. */
export function listDevices(ctx: Context): Promise<ShownDevice[]> {
  return listPaired(ctx)
}

/** Unpairs a device: its credential is invalid from now on. @throws DEVICE_NOT_FOUND */
export async function unpairDevice(ctx: Context, id: number): Promise<string> {
  return inTransaction(ctx, async (tx) => {
    const name = (await updateUnpaired(tx, id)) ?? fail('DEVICE_NOT_FOUND')
    tx.change({ deviceID: id, name }, null)
    return name
  })
}

/**
 * Unpairs every device after a restore, because the database does not know which were unpaired since the backup: a stolen phone
 * would sign again. Whoever has one pairs it again with a code, which needs presence. Returns how many.
 */
export function unpairEveryDevice(ctx: Context): Promise<number> {
  return updateAllUnpaired(ctx)
}
