import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { type ChainFamily, findFamily } from '@kassa/primitives/chains/families.ts'
import { Kysely, PostgresDialect } from 'kysely'
import type { PostgresPool, PostgresPoolClient } from 'kysely'

import { type Context, inTransaction, realSleep } from '../../context.ts'
import { seedBlockchains } from '../../modules/blockchains/chains/service.ts'
import { changePaymentPolicy, createProject } from '../../modules/projects/service.ts'
import { deriveMore } from '../../modules/wallets/pool.ts'
import { linkWallets } from '../../modules/wallets/linking/service.ts'
import { addDepositWallet } from '../../modules/wallets/service.ts'
import { createWebhook } from '../../modules/webhooks/endpoints/service.ts'
import { solanaList } from '../address-lists.ts'
import { TEMPORARY } from '../database/temporary.ts'
import { accountOf } from './accounts.ts'
import { type MemoryDatabase, openMemoryDatabase } from './database.ts'
import type { Network } from './families/family.ts'
import { plainContext } from './world.ts'

/** Addresses derived ahead; more are derived when a run assigns all of them. */
const POOL = 16

/** Families whose addresses follow from one key on every network. */
const EVERYWHERE = ['ETH_Family', 'TRX_Family'] as const

/** The file of the image, for the processes that one has made it for. */
const FILE = 'KASSA_WORLD_IMAGE'

const SHOPS = ['One', 'Many'] as const

let image: Promise<Blob> | undefined

/**
 * Opens the database that every run starts with: two shops with different policies, each with a wallet and an endpoint.
 */
export async function openWorldDatabase(): Promise<MemoryDatabase> {
  const file = process.env[FILE]
  image ??= file === undefined ? makeWorld() : openAsBlob(file)
  return openMemoryDatabase(await image)
}

/** Makes the image of that database once, for all processes started from now on: it takes longer than many runs. */
export async function shareWorld(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(TEMPORARY, 'kassa-world-'))
  const file = join(folder, 'image.tar')
  await writeFile(file, (await makeWorld()).stream())
  process.env[FILE] = file
  return async () => {
    delete process.env[FILE]
    await rm(folder, { recursive: true, force: true })
  }
}

async function makeWorld(): Promise<Blob> {
  const database = await openMemoryDatabase()
  const ctx = directContext(database)
  await seedBlockchains(ctx)
  await database.query(`UPDATE blockchains SET status = 'active', inactive_cause = NULL`)
  await database.query(
    `INSERT INTO operators (email, customer_id, password_hash) VALUES ('owner@shop.example', 'root', '')`,
  )
  for (const name of SHOPS) await openShop(ctx, name)
  await database.query(
    `INSERT INTO api_keys (project_id, name, key_hash, key_prefix, last4, scopes, created_by)
     VALUES (1, 'Server', '\\x00', '', '', '{}', 1)`,
  )
  await save(database, 'sandbox')
  const public_ = { ...ctx, config: { ...ctx.config, network: 'testnet' as const } }
  // No trigger runs: units of account are never removed, and here the assets of another network take their numbers.
  await database.query(`SET session_replication_role = replica; DELETE FROM project_assets; DELETE FROM units;
    DELETE FROM assets; SET session_replication_role = origin`)
  await seedBlockchains(public_)
  for (const [at, name] of SHOPS.entries()) await addBitcoinWallet(public_, at + 1, name)
  await database.query(
    'INSERT INTO project_assets (project_id, asset_id) SELECT projects.id, assets.id FROM projects, assets',
  )
  await save(database, 'testnet')
  const made = await database.image()
  await database.close()
  return made
}

function save(database: MemoryDatabase, beginning: Network): Promise<void> {
  return database.save(beginning)
}

async function openShop(ctx: Context, name: string): Promise<void> {
  const { id } = await createProject(ctx, { name })
  const policy = name === 'One' ? 'one' : 'many'
  await changePaymentPolicy(ctx, id, { openPaymentsPerCustomer: policy, lateGraceHours: name === 'One' ? 24 : 1 })
  await createWebhook(ctx, id, { url: `https://shop-${id}.example/hook` })
  await addWallet(ctx, id, {
    name,
    xpubs: EVERYWHERE.map((family) => ({ family, xpub: accountOf(name, family).publicExtendedKey })),
    lists: [solanaList(name, { count: POOL })],
  })
  await addBitcoinWallet(ctx, id, name)
}

/** Addresses of Bitcoin are written differently on every network. */
function addBitcoinWallet(ctx: Context, projectId: number, name: string): Promise<void> {
  const shop = `${name} on ${ctx.config.network}`
  const xpub = accountOf(shop, 'BTC_Family').publicExtendedKey
  return addWallet(ctx, projectId, { name: `${shop} in Bitcoin`, xpubs: [{ family: 'BTC_Family', xpub }] })
}

type NewWallet = Pick<Parameters<typeof addDepositWallet>[1], 'name' | 'xpubs' | 'lists'>

/** Links a wallet in the place of others of its families, and derives what can be derived. */
async function addWallet(ctx: Context, projectId: number, given: NewWallet): Promise<void> {
  const { id: walletID } = await addDepositWallet(ctx, given)
  const families = [...given.xpubs, ...(given.lists ?? [])].map(({ family }) => family as ChainFamily)
  await linkWallets(ctx, projectId, { wallets: families.map((blockchainFamily) => ({ walletID, blockchainFamily })) })
  for (const { family } of given.xpubs) {
    const familyId = findFamily(family)?.id ?? 0
    await inTransaction(ctx, (tx) => deriveMore(tx, { walletId: walletID, familyId }, POOL))
  }
}

/** A context directly on the database, without a schedule. */
export function directContext({ query }: MemoryDatabase): Context {
  const client: PostgresPoolClient = {
    query: query as unknown as PostgresPoolClient['query'],
    release: () => undefined,
  }
  const pool: PostgresPool = { connect: async () => client, end: async () => undefined, options: {} }
  const nobody = async () => Promise.reject(new Error('There is no network while the world is created'))
  return {
    ...plainContext(new Kysely({ dialect: new PostgresDialect({ pool }) })),
    now: () => new Date(WORLD_BEGINS),
    sleep: realSleep,
    jobs: { send: async () => undefined, workerOf: () => undefined },
    egress: {
      check: () => undefined,
      checkHost: () => undefined,
      request: nobody,
      fetch: () => nobody,
      connect: nobody,
      refresh: async () => undefined,
    },
    connect: () => {
      throw new Error('There is no node while the world is created')
    },
  }
}

/** The start of every run: an ordinary Monday. */
export const WORLD_BEGINS = Date.UTC(2026, 0, 5, 9)
