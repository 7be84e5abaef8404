import { createHash } from 'node:crypto'

import { type ChainFamily, findFamily } from '@kassa/primitives/chains/families.ts'
import { sql } from 'kysely'

import { asSystem, type Context, inTransaction } from '../../../context.ts'
import { unlockHotWallet } from '../../../modules/sends/service.ts'
import { addProjectRole } from '../../../modules/operators/accounts/service.ts'
import { ensureCustomer } from '../../../modules/customers/service.ts'
import type { HotPurpose } from '@kassa/contract/wallets/hot-schemas.ts'
import { addHotWallet, findHotWallet } from '../../../modules/wallets/hot/service.ts'
import { assignAddress } from '../../../modules/wallets/service.ts'
import { openVaults } from './vaults.ts'
import { openProgramme } from './programme.ts'
import type { MemoryDatabase } from '../database.ts'
import { assetsIn } from '../payer.ts'
import type { Process } from '../scheduler.ts'
import { directContext } from '../template.ts'
import { contextOf, type HotWallet, isAlone, type SimulatedChain, type Treasury, type World } from '../world.ts'

const PROJECTS = [1, 2] as const
/** Those who pay in a world (merchant.ts). */
const CUSTOMERS = [1, 2, 3, 4].map((n) => `customer-${n}`)
/** What a hot wallet is given at once: of coins as they are worth, and of tokens, which have six decimals everywhere. */
const COIN_UNITS = { ETH_Family: 50n * 10n ** 18n, TRX_Family: 50_000n * 10n ** 6n, BTC_Family: 10n ** 8n } as const
const TOKEN_UNITS = 100_000n * 10n ** 6n
/** What a customer sends at once: far more than a sweep costs. */
const PAID_IN_COIN = { ETH_Family: 3n * 10n ** 17n, TRX_Family: 3_000n * 10n ** 6n, BTC_Family: 10n ** 6n } as const
const PAID_IN_TOKEN = 750n * 10n ** 6n
/** What an operator of this world looks after, and how often. */
const LOOK_MS = [5_000, 60_000] as const
/** The same while days pass, in which nothing is left to look after. */
const LATE_LOOK_MS = [600_000, 1_800_000] as const
const FUND_SHARE = 0.1
const DEPOSIT_SHARE = 0.05

/** The wallets of these worlds, by the families that their chains are of. */
const PURPOSES = [
  ['ETH_Family', 'payout'],
  ['ETH_Family', 'gas'],
  ['TRX_Family', 'payout'],
  ['TRX_Family', 'gas'],
] as const satisfies readonly (readonly [keyof typeof COIN_UNITS, HotPurpose])[]

/** What a treasury has from the beginning, by the name that the rows of its world are saved under. */
type Opened = Pick<Treasury, 'wallets' | 'depositors'>
const OPENED = new WeakMap<MemoryDatabase, Map<string, Opened>>()

/** Restores the rows of a world on these chains whose shops pay out; the first time they are made and saved. */
export async function restoreTreasury(database: MemoryDatabase, chains: World['chains']): Promise<Treasury> {
  const name = `paying_${chains.map(({ code }) => code.toLowerCase()).join('_')}`
  const made = OPENED.get(database) ?? new Map<string, Opened>()
  OPENED.set(database, made)
  const opened = made.get(name) ?? (await openTreasury(database, chains))
  if (!made.has(name)) await database.save(name)
  made.set(name, opened)
  // Also where they were made a moment ago: rows must lie where they lie the next time.
  await database.reset(name)
  return {
    ...opened,
    ...{ asked: 0, sent: 0, awaits: 0, waiting: '', looks: 0 },
    ...{ isBusy: false, isLapsing: false, isPermissionLapsing: false },
  }
}

/** Adds hot wallets for payouts and for fees, a contract that sweeps, and rules: one shop's payouts go by themselves, the other's want a person. */
async function openTreasury(database: MemoryDatabase, chains: World['chains']): Promise<Opened> {
  await database.reset('sandbox')
  const ctx = asSystem(directContext(database))
  const wallets: HotWallet[] = []
  for (const [name, purpose] of PURPOSES) {
    const chain = chains.find(({ family }) => family.name === name)
    if (chain) wallets.push(await addWallet(ctx, purpose, chain))
  }
  await openVaults(
    ctx,
    chains.map(({ code }) => code),
  )
  // Whatever is final is worth a sweep of its own: nobody waits for company in the minutes that a world lasts.
  await database.query('UPDATE assets SET min_sweep_amount_units = 1')
  for (const projectId of PROJECTS) await addProjectRole(ctx, { operatorId: 1, projectId, role: 'admin' })
  await database.query(
    `INSERT INTO payout_policies (project_id, auto_approve_limit_usd, hourly_limit_usd, daily_limit_usd, updated_at)
     VALUES (1, 100000, 100000, 1000000, now()), (2, 0, 100000, 1000000, now())`,
  )
  for (const projectId of PROJECTS) await openProgramme(ctx, { projectId, customers: CUSTOMERS })
  return { wallets, depositors: await assignAddresses(ctx, chains) }
}

/** Customers whose addresses are known before anybody asks for a payment: what they send is swept early. */
async function assignAddresses(ctx: Context, chains: World['chains']): Promise<Treasury['depositors']> {
  const given: Treasury['depositors'][number][] = []
  for (const family of new Map(chains.map((chain) => [chain.family.name, chain.family])).values()) {
    const familyId = findFamily(family.name)?.id ?? 0
    for (const projectId of PROJECTS) {
      for (const customerId of CUSTOMERS) {
        const customer = await inTransaction(ctx, (tx) => ensureCustomer(tx, { projectId, customerId, email: '' }))
        const { address } = await assignAddress(ctx, { projectId, customerId: customer.id, familyId })
        given.push({ address: family.spell(address), family: family.name })
      }
    }
  }
  return given
}

async function addWallet(ctx: Context, purpose: HotPurpose, { id, family }: SimulatedChain): Promise<HotWallet> {
  // Always the same key, so that the same seed makes the same trace.
  const digits = createHash('sha256').update(`${purpose} wallet`).digest('hex')
  const privateKey = family.name === 'ETH_Family' ? `0x${digits}` : digits
  await addHotWallet(ctx, { family: family.name, name: purpose, privateKey, functions: [purpose] })
  const wallet = await findHotWallet(ctx, { blockchainId: id, purpose })
  if (!wallet) throw new Error('There is no hot wallet')
  return { walletId: wallet.walletId, address: family.spell(wallet.address), family: family.name }
}

/** Sends coins and tokens to the hot wallets, on every chain, from outside. */
export function fund(world: World): void {
  const { treasury, scheduler } = world
  if (!treasury) return
  scheduler.note('the hot wallets are funded')
  for (const chain of world.chains) {
    const mine = assetsIn(world).filter((asset) => asset.chain === chain.code)
    const { name: family, purse } = chain.family
    const own = treasury.wallets.filter((wallet) => wallet.family === family)
    const sent = own.flatMap(({ address: to }) =>
      mine.flatMap(({ id, token }) => {
        const units = token === null ? inCoins(COIN_UNITS, family) : TOKEN_UNITS
        return purse.give?.({ name: nameOf(world, treasury, `fund ${to} ${id}`), to, token, units }) ?? []
      }),
    )
    chain.mempool = [...chain.mempool, ...sent]
  }
}

function inCoins(units: typeof COIN_UNITS | typeof PAID_IN_COIN, family: ChainFamily): bigint {
  return family === 'TRX_Family' || family === 'BTC_Family' ? units[family] : units.ETH_Family
}

/** Two transactions of one name would be the same one, even when they are sent at the same moment. */
function nameOf({ seed }: World, treasury: Treasury, what: string): string {
  treasury.sent += 1
  return `${seed} ${treasury.sent} ${what}`
}

/** Sends coins or tokens to addresses of customers that asked for no payment. */
export function deposit(world: World): void {
  const { treasury, random } = world
  if (!treasury) return
  for (const { address: to, family } of treasury.depositors) {
    const codes = world.chains.filter((each) => each.family.name === family).map(({ code }) => code)
    const {
      id,
      token,
      chain: code,
    } = random.pick(assetsIn(world).filter((asset) => codes.some((one) => one === asset.chain)))
    const units = token === null ? inCoins(PAID_IN_COIN, family) : PAID_IN_TOKEN
    const name = nameOf(world, treasury, `deposit ${to} ${id}`)
    const chain = world.chains.find((each) => each.code === code)
    const tx = chain?.family.purse.give?.({ name, to, token, units })
    // No page offers a network that is not read yet.
    if (chain && tx && world.cursors.has(chain.id)) chain.mempool = [...chain.mempool, tx]
  }
}

/** Looks after the hot wallet as a person does: fills it, and unlocks it where a reorganisation had locked it. */
export async function caretaker(world: World, process: Process): Promise<void> {
  const ctx = asSystem(contextOf(world, process))
  while (!process.isDead) {
    const [least, most] = world.phase === 'days' && isAlone(world) ? LATE_LOOK_MS : LOOK_MS
    await world.scheduler.sleep(world.random.between(least, most), process.signal)
    if (world.phase === 'trouble' && world.random.chance(FUND_SHARE)) fund(world)
    if (world.phase === 'trouble' && world.random.chance(DEPOSIT_SHARE)) deposit(world)
    if (world.phase === 'days') continue
    if (world.phase === 'calm') await sql`DELETE FROM sandbox_prices`.execute(ctx.db)
    await unlock(ctx).catch(() => world.scheduler.note('the wallet stays locked'))
  }
}

async function unlock(ctx: Context): Promise<void> {
  const { rows } = await sql<{ wallet_id: number; blockchain_id: number }>`
    SELECT wallet_id, blockchain_id FROM send_wallets WHERE lock_code IS NOT NULL ORDER BY wallet_id, blockchain_id`.execute(
    ctx.db,
  )
  for (const { wallet_id: walletId, blockchain_id: blockchainId } of rows) {
    await unlockHotWallet(ctx, { walletId, blockchainId })
  }
}
