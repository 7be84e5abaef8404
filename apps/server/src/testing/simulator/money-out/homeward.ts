import { ApiError } from '@kassa/contract/kit/api-error.ts'
import { sql } from 'kysely'

import { asSystem, type Context, inTransaction } from '../../../context.ts'
import { prepareBatch, storeBatch } from '../../../modules/sweep-permissions/asking/request-approvals.ts'
import { planQuestion } from '../../../modules/sweeps/lists/plan-view.ts'
import {
  assetByHand,
  buildPlan,
  cancelByHand,
  initiatePrepared,
  prepareSweep,
  startPlan,
  storePlan,
} from '../../../modules/sweeps/starting/service.ts'
import type { Process } from '../scheduler.ts'
import { contextOf, isAlone, waitInTrouble, type World } from '../world.ts'
import { sign } from './signer.ts'
import { KEY_SHOP } from './vaults.ts'

/** What is brought home by hand. */
const ASKED = [
  { blockchainCode: 'ETH', currencyCode: 'USDC' },
  { blockchainCode: 'ETH', currencyCode: 'USDT' },
  { blockchainCode: 'ETH', currencyCode: 'ETH' },
  { blockchainCode: 'BASE', currencyCode: 'USDC' },
  { blockchainCode: 'BASE', currencyCode: 'ETH' },
  { blockchainCode: 'TRX', currencyCode: 'TRX' },
  { blockchainCode: 'TRX', currencyCode: 'USDT' },
  { blockchainCode: 'BTC', currencyCode: 'BTC' },
] as const

function askedIn({ random, chains }: World): (typeof ASKED)[number] {
  return random.pick(ASKED.filter(({ blockchainCode }) => chains.some(({ code }) => code === blockchainCode)))
}

/** What addresses with keys of their own are asked for: to approve a token, or to send a coin home themselves. */
const APPROVED = [
  { b: 'ETH', c: 'USDC' },
  { b: 'ETH', c: 'USDT' },
  { b: 'TRX', c: 'USDT' },
  { b: 'TRX', c: 'TRX' },
] as const

function approvedIn({ random, chains }: World): (typeof APPROVED)[number] {
  return random.pick(APPROVED.filter(({ b }) => b === asksOn(chains)))
}

/** The chain whose addresses with keys of their own are asked: TRON's where it is alone. */
function asksOn(chains: World['chains']): string {
  return chains.some(({ code }) => code === 'ETH') ? 'ETH' : 'TRX'
}

/** Lets no sweep start by itself any more. */
export async function switchOff({ database }: World): Promise<void> {
  await database.query(
    `INSERT INTO configuration (key, value) VALUES ('sweeps.automatic', 'off')
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  )
}

/** People who bring money home by hand: they plan, start and give up sweeps, ask for approvals and sign them. */
export async function gatherer(world: World, process: Process): Promise<void> {
  const ctx = asSystem(contextOf(world, process))
  const { acts, pauseMs } = workOf(world)
  while (!process.isDead) {
    await world.scheduler.sleep(waitInTrouble(world, pauseMs), process.signal)
    if (world.phase !== 'trouble') continue
    const act = world.random.pick(acts)
    await act(world, ctx).catch((error: unknown) => {
      const why = error instanceof ApiError ? error.code : error instanceof Error ? error.message : String(error)
      world.scheduler.note(`the gatherer was refused: ${why}`)
    })
  }
}

type Work = {
  readonly acts: readonly ((world: World, ctx: Context) => Promise<void>)[]
  readonly pauseMs: readonly [number, number]
}

/** People with phones do the rest for Bitcoin; where TRON is alone, most of what is done is asked of its addresses. */
function workOf(world: World): Work {
  if (world.treasury?.wallets.length === 0) return { acts: [start], pauseMs: [4_000, 60_000] }
  if (isAlone(world)) return { acts: [start, initiate, cancel, ask, ask, sign, sign, sign], pauseMs: [1_000, 20_000] }
  return { acts: [start, start, initiate, cancel, ask, sign, sign], pauseMs: [4_000, 60_000] }
}

async function start(world: World, ctx: Context): Promise<void> {
  const { random } = world
  const { asset, plan } = await planQuestion(ctx, 'every', askedIn(world))
  const { planId } = await storePlan(ctx, asset, plan)
  // Nothing has to be built for whom a contract or an approval moves.
  const built = asset.blockchainCode === 'BTC' ? await buildPlan(ctx, planId) : new Map<number, never>()
  await startPlan(ctx, planId, built)
  // Somebody clicks twice.
  if (random.chance(0.2)) await startPlan(ctx, planId, built)
}

/** Chosen addresses, whose permission may have been given a moment ago. */
async function initiate(world: World, ctx: Context): Promise<void> {
  const asset = await assetByHand(ctx, approvedIn(world))
  const { rows } = await sql<{ id: number }>`
    SELECT address_id::int AS id FROM sweep_permissions WHERE asset_id = ${asset.id} AND state IN ('approved', 'used')
    ORDER BY id DESC LIMIT 3`.execute(ctx.db)
  if (rows.length === 0) return
  const addressIds = [...new Set(rows.map(({ id }) => id))]
  const prepared = await prepareSweep(ctx, { asset, addressIds, contractAddressId: null })
  await initiatePrepared(ctx, asset, prepared, { execute: true })
}

async function cancel(world: World, ctx: Context): Promise<void> {
  const { random } = world
  const { blockchainCode: b, currencyCode: c } = askedIn(world)
  const asset = await assetByHand(ctx, { b, c })
  const { rows } = await sql<{ id: number }>`
    SELECT id::int AS id FROM sweeps WHERE asset_id = ${asset.id} AND status = 'planned' ORDER BY id`.execute(ctx.db)
  const row = random.any(rows)
  if (row) await cancelByHand(ctx, asset, { sweepId: row.id, addressIds: null })
}

async function ask(world: World, ctx: Context): Promise<void> {
  const prepared = await prepareBatch(ctx, approvedIn(world), [KEY_SHOP.projectId], {})
  await inTransaction(ctx, (tx) => storeBatch(tx, prepared))
}
