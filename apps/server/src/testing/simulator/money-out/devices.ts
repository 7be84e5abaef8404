/** People with phones that hold the keys of deposit addresses of Bitcoin, and what they do with the coins besides. */
import '@kassa/chains/bitcoin/psbts/build.ts'
import '@kassa/chains/bitcoin/psbts/check.ts'

import { createHash } from 'node:crypto'

import { NodeRefusal } from '@kassa/chains/testing/fake-chain/answers.ts'
import { signPsbt } from '@kassa/chains/testing/offline-signer.ts'
import { ApiError } from '@kassa/contract/kit/api-error.ts'
import { sql } from 'kysely'

import { asSystem, type Context, inTransaction } from '../../../context.ts'
import { unpairDevice } from '../../../modules/devices/service.ts'
import { bookDrawn, drawnFrom } from '../../../modules/movements/service.ts'
import {
  batchDetail,
  checkSignature,
  listOffline,
  prepareRaise,
  raiseBatch,
  releaseBatch,
  takeSignature,
} from '../../../modules/sweeps/offline/service.ts'
import type { Process } from '../scheduler.ts'
import { contextOf, type SimulatedChain, wait, waitInTrouble, type World } from '../world.ts'
import { keyAtOf, spentElsewhere } from './bitcoin-keys.ts'
import { BITCOIN_BROADCAST } from './pools/bitcoin-pool.ts'

/** How long a person waits until they look at their phone again. */
const LOOK_MS = [4_000, 50_000] as const

/** How often a batch is signed and handed in twice. */
const TWICE = 0.2

/** One of two people, each with a phone; whatever they do, they sign what is still to be signed once the trouble is over. */
export async function device(world: World, process: Process): Promise<void> {
  const ctx = contextOf(world, process)
  const { random, scheduler } = world
  while (!process.isDead) {
    await scheduler.sleep(world.phase === 'calm' ? wait(world, LOOK_MS) : waitInTrouble(world, LOOK_MS), process.signal)
    const acts = world.phase === 'trouble' ? [sign, sign, sign, sign, sign, ...WHIMS] : [sign, book]
    await random
      .pick(acts)({ world, ctx, name: process.name })
      .catch((error: unknown) => expectRefusal(world, error))
  }
}

type Person = { readonly world: World; readonly ctx: Context; readonly name: string }

/** The context of a person's phone, paired anew where it is not. */
async function phoneOf({ ctx, name }: Person): Promise<Context> {
  const digest = createHash('sha256').update(name).digest()
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM devices WHERE public_key = ${digest} AND unpaired_at IS NULL`.execute(ctx.db)
  return { ...ctx, caller: { kind: 'device', name, deviceId: rows[0]?.id ?? (await pair(ctx, name, digest)) } }
}

async function pair(ctx: Context, name: string, publicKey: Buffer): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO devices (name, public_key, key_hash, paired_by, paired_at)
    SELECT ${name}, ${publicKey}, sha256((${name} || count(*))::bytea), 1, ${ctx.now()} FROM devices
    RETURNING id`.execute(ctx.db)
  return rows[0]?.id ?? 0
}

type Batch = { readonly id: bigint; readonly psbt: string; readonly status: string }

/** A batch that waits for a signature; undefined where none does. */
async function someBatch(world: World, phone: Context): Promise<Batch | undefined> {
  const { sweepTransactionInfo } = await listOffline(phone, 'every', { status: 'pending' })
  const one = world.random.any(sweepTransactionInfo)
  if (!one) return undefined
  const id = BigInt(one.id)
  const { psbt } = await batchDetail(phone, 'every', id)
  return { id, psbt, status: one.status }
}

async function sign(person: Person): Promise<void> {
  const { world } = person
  const phone = await phoneOf(person)
  const batch = await someBatch(world, phone)
  if (!batch) return
  const handIn = async () => {
    const checked = await checkSigned(phone, batch)
    await takeSignature(phone, 'every', { id: batch.id, checked })
  }
  await handIn()
  if (world.random.chance(TWICE)) await handIn()
}

function checkSigned(phone: Context, { id, psbt }: Batch) {
  return checkSignature(phone, 'every', { id, psbt: signPsbt(psbt, keyAtOf(psbt)) })
}

/** The wallet sends what it signed by itself, and hands nothing in. */
async function sendByItself(person: Person): Promise<void> {
  const phone = await phoneOf(person)
  const batch = await someBatch(person.world, phone)
  if (!batch) return
  const { signed } = await checkSigned(phone, batch)
  broadcastAlone(person.world, Buffer.from(signed.raw).toString('hex'))
}

/** The owner spends a coin of a batch otherwise, which whoever waits for it must notice. */
async function spendElsewhere(person: Person): Promise<void> {
  const { world } = person
  const batch = await someBatch(world, await phoneOf(person))
  if (batch) broadcastAlone(world, spentElsewhere(world.random, batch.psbt))
}

/** Asks for a higher fee of a batch that is signed and in no block. */
async function raise({ world, ctx }: Person): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    SELECT id::int AS id FROM sweeps WHERE sent_by = 'device' AND status IN ('sweep-initiated', 'broadcast')
    ORDER BY id`.execute(ctx.db)
  const row = world.random.any(rows)
  if (!row) return
  const raised = await prepareRaise(asSystem(ctx), row.id, null)
  if (raised) await inTransaction(asSystem(ctx), (tx) => raiseBatch(tx, row.id, raised))
}

async function release(person: Person): Promise<void> {
  const phone = await phoneOf(person)
  const batch = await someBatch(person.world, phone)
  if (batch) await releaseBatch(phone, 'every', batch.id)
}

/** A phone is lost: somebody unpairs it, perhaps while it signs. */
async function unpair({ world, ctx }: Person): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM devices WHERE unpaired_at IS NULL ORDER BY id`.execute(ctx.db)
  const row = world.random.any(rows)
  if (row) await unpairDevice(asSystem(ctx), row.id)
}

/** Says what became of coins that were spent otherwise, once that is final. */
async function book({ world, ctx }: Person): Promise<void> {
  const { rows } = await sql<{ asset_id: number; address_id: bigint }>`
    SELECT DISTINCT asset_id, from_address_id AS address_id FROM movements
    WHERE kind = 'deposit-drawn' AND status = 'final' AND booked_at IS NULL ORDER BY 2`.execute(ctx.db)
  const row = world.random.any(rows)
  if (!row) return
  const { asset_id: assetId, address_id: addressId } = row
  await inTransaction(asSystem(ctx), async (tx) => {
    await bookDrawn(tx, await drawnFrom(tx, { assetId, addressId }), 'moved by hand')
  })
}

const WHIMS = [raise, raise, release, unpair, sendByItself, spendElsewhere]

/** Gives a transaction to the network past the program. */
function broadcastAlone({ chains, scheduler }: World, hex: string): void {
  const chain = chains.find(({ code }) => code === 'BTC') as SimulatedChain
  try {
    scheduler.note(`a wallet sends ${String(chain.signed.answer(chain.chain.view(), BITCOIN_BROADCAST, [hex]))}`)
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error
    scheduler.note(`a wallet was refused: ${error.message}`)
  }
}

/** An API error is an answer; anything else comes from the database, or needs a look at the trace. */
function expectRefusal({ scheduler }: World, error: unknown): void {
  const why = error instanceof ApiError ? error.code : error instanceof Error ? error.message : String(error)
  scheduler.note(`a person with a phone was refused: ${why}`)
}
