import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { Kysely, PostgresDialect } from 'kysely'
import type { PostgresPool, PostgresPoolClient } from 'kysely'

import { type Context, inTransaction, realSleep } from '../../context.ts'
import { seedBlockchains } from '../../modules/blockchains/chains/service.ts'
import { changePaymentPolicy, createProject } from '../../modules/projects/service.ts'
import { deriveMore } from '../../modules/wallets/pool.ts'
import { addDepositWallet, linkWallets } from '../../modules/wallets/service.ts'
import { createWebhook } from '../../modules/webhooks/endpoints/service.ts'
import { TEMPORARY } from '../temporary.ts'
import { accountOf } from './accounts.ts'
import { type MemoryDatabase, openMemoryDatabase } from './database.ts'
import { plainContext } from './world.ts'

/** Addresses derived ahead; more are derived when a run assigns all of them. */
const POOL = 16
const FAMILY = { family: 'ETH_Family', id: 1 } as const

/** The assets a run starts with: those of the sandbox, or those of a public network. */
export type Beginning = 'sandbox' | 'testnet'

/** The file of the image, for the processes that one has made it for. */
const FILE = 'KASSA_WORLD_IMAGE'

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
  await database.query(
    `INSERT INTO operators (email, customer_id, password_hash) VALUES ('owner@shop.example', 'root', '')`,
  )
  for (const name of ['One', 'Many']) await openShop(ctx, name)
  await database.query(
    `INSERT INTO api_keys (project_id, name, key_hash, key_prefix, last4, scopes, created_by)
     VALUES (1, 'Server', '\\x00', '', '', '{}', 1)`,
  )
  await save(database, 'sandbox')
  // No trigger runs: units of account are never removed, and here the assets of another network take their numbers.
  await database.query(`SET session_replication_role = replica; DELETE FROM project_assets; DELETE FROM units;
    DELETE FROM assets; SET session_replication_role = origin`)
  await seedBlockchains({ ...ctx, config: { ...ctx.config, network: 'testnet' } })
  await database.query(
    'INSERT INTO project_assets (project_id, asset_id) SELECT projects.id, assets.id FROM projects, assets',
  )
  await save(database, 'testnet')
  const made = await database.image()
  await database.close()
  return made
}

function save(database: MemoryDatabase, beginning: Beginning): Promise<void> {
  return database.save(beginning)
}

async function openShop(ctx: Context, name: string): Promise<void> {
  const { id } = await createProject(ctx, { name })
  const policy = name === 'One' ? 'one' : 'many'
  await changePaymentPolicy(ctx, id, { openPaymentsPerCustomer: policy, lateGraceHours: name === 'One' ? 24 : 1 })
  await createWebhook(ctx, id, { url: `https://shop-${id}.example/hook` })
  const wallet = await addDepositWallet(ctx, {
    name,
    projectID: id,
    xpubs: [{ family: FAMILY.family, xpub: accountOf(name).publicExtendedKey }],
  })
  await linkWallets(ctx, id, { wallets: [{ walletID: wallet.id, blockchainFamily: FAMILY.family }] })
  await inTransaction(ctx, (tx) => deriveMore(tx, { walletId: wallet.id, familyId: FAMILY.id }, POOL))
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
