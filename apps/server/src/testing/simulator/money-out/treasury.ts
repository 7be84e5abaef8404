import { createHash } from 'node:crypto'

import { sendCoin, sendToken } from '@kassa/chains/testing/fake-chain/transactions.ts'

import { sql } from 'kysely'

import { asSystem, type Context } from '../../../context.ts'
import { letSendAgain } from '../../../modules/sends/service.ts'
import { addProjectRole } from '../../../modules/operators/accounts/service.ts'
import { addHotWallet, findHotWallet } from '../../../modules/wallets/hot/service.ts'
import { openProgramme } from './programme.ts'
import type { MemoryDatabase } from '../database.ts'
import { assetsIn } from '../payer.ts'
import type { Process } from '../scheduler.ts'
import { directContext } from '../template.ts'
import { contextOf, type Treasury, type World } from '../world.ts'

const PROJECTS = [1, 2] as const
/** Those who pay in a world (merchant.ts). */
const CUSTOMERS = [1, 2, 3, 4].map((n) => `customer-${n}`)
const FUNDER = '0x00000000000000000000000000000000000000f2'
const COIN_UNITS = 50n * 10n ** 18n
const TOKEN_UNITS = 100_000n * 10n ** 6n
/** What an operator of this world looks after, and how often. */
const LOOK_MS = [5_000, 60_000] as const
const FUND_SHARE = 0.1

/** Adds a hot wallet for payouts, and rules: one shop's payouts go by themselves, the other's want a person. */
export async function openTreasury(database: MemoryDatabase, seed: number): Promise<Treasury> {
  const ctx = asSystem(directContext(database))
  // Always the same key, so that the same seed makes the same trace.
  const privateKey = `0x${createHash('sha256').update(`hot wallet ${seed}`).digest('hex')}`
  await addHotWallet(ctx, { family: 'ETH_Family', name: 'Payouts', privateKey, functions: ['payout'] })
  const wallet = await findHotWallet(ctx, { blockchainId: 1, purpose: 'payout' })
  if (!wallet) throw new Error('There is no hot wallet')
  for (const projectId of PROJECTS) await addProjectRole(ctx, { operatorId: 1, projectId, role: 'admin' })
  await database.query(
    `INSERT INTO payout_policies (project_id, auto_approve_limit_usd, hourly_limit_usd, daily_limit_usd, updated_at)
     VALUES (1, 100000, 100000, 1000000, now()), (2, 0, 100000, 1000000, now())`,
  )
  for (const projectId of PROJECTS) await openProgramme(ctx, { projectId, customers: CUSTOMERS })
  return { walletId: wallet.walletId, address: wallet.address.toLowerCase(), asked: 0, isBusy: false }
}

/** Sends coins and tokens to the hot wallet, on every chain, from outside. */
export function fund(world: World): void {
  const { treasury, scheduler } = world
  if (!treasury) return
  scheduler.note('the hot wallet is funded')
  for (const chain of world.chains) {
    const mine = assetsIn(world).filter((asset) => asset.chain === chain.code)
    const sent = mine.map(({ id, token }) => {
      const name = `${world.seed} fund ${id} ${scheduler.now()}`
      const to = treasury.address
      return token === null
        ? sendCoin({ name, from: FUNDER, to, units: COIN_UNITS })
        : sendToken({ name, from: FUNDER, to, token, units: TOKEN_UNITS })
    })
    chain.mempool = [...chain.mempool, ...sent]
  }
}

/** Looks after the hot wallet as a person does: fills it, and unlocks it where a reorganisation had locked it. */
export async function caretaker(world: World, process: Process): Promise<void> {
  const ctx = asSystem(contextOf(world, process))
  while (!process.isDead) {
    await world.scheduler.sleep(world.random.between(...LOOK_MS), process.signal)
    if (world.phase === 'trouble' && world.random.chance(FUND_SHARE)) fund(world)
    if (world.phase === 'days') continue
    if (world.phase === 'calm') await sql`DELETE FROM sandbox_prices`.execute(ctx.db)
    await unlock(world, ctx).catch(() => world.scheduler.note('the wallet stays locked'))
  }
}

async function unlock(world: World, ctx: Context): Promise<void> {
  const { rows } = await sql<{ blockchain_id: number }>`
    SELECT blockchain_id FROM send_wallets WHERE lock_code IS NOT NULL ORDER BY blockchain_id`.execute(ctx.db)
  for (const { blockchain_id: blockchainId } of rows) {
    await letSendAgain(ctx, { walletId: world.treasury?.walletId ?? 0, blockchainId })
  }
}
