/** The program in this process, on a durable database of its own, with a shop whose customers all have a payment to make. */
import type { BlockRef, Leg } from '@kassa/chains/adapter.ts'

import { type App, createApp } from '../../apps/server/src/app.ts'
import { asSystem, type Context, inTransaction } from '../../apps/server/src/context.ts'
import { type DatabasePool, type Db, openDatabase } from '../../apps/server/src/db/database.ts'
import { migrate } from '../../apps/server/src/db/migrate.ts'
import { createLog } from '../../apps/server/src/log/log.ts'
import { getAsset } from '../../apps/server/src/modules/blockchains/chains/service.ts'
import {
  type ReceivedBlock,
  revertDeposits,
  creditBlocks,
} from '../../apps/server/src/modules/payments/crediting/service.ts'
import { addressesByKeys } from '../../apps/server/src/modules/wallets/service.ts'
import { startPostgres } from '../../apps/server/src/db/embedded/start-postgres.ts'
import { testConfig, testKeys } from '../../apps/server/src/testing/config.ts'
import { logStatements } from '../../apps/server/src/testing/database/log-statements.ts'
import { clearLayout, newLayout } from '../../e2e/instance.ts'
import type { Cleanup } from './figure.ts'
import type { Pool } from './limits.ts'

/** USDC on ETH of the sandbox, with six decimals. */
const ASSET = 7
const BLOCKCHAIN = 1
const DUE = 100_000_000n

/** Makes fake blocks and lets the program take them in, as its reader does. */
export type InProcess = {
  readonly pool: Pool
  /** Takes in blocks that hold the exact payment of so many customers who have not paid yet, all in one transaction. */
  readonly pay: (blocks: number, perBlock: number) => Promise<void>
  /** The same, read and ready: what `run` does is all that is measured. */
  readonly prepare: (blocks: number, perBlock: number) => Promise<{ run: () => Promise<void> }>
  /** Statements of the transaction that takes in one block with one payment, besides its begin and commit. */
  readonly statementsOfOne: () => Promise<number>
  /** Takes in blocks without money until all that was seen is final. */
  readonly settle: () => Promise<void>
  /** Money of the blocks from now on is final after so many. */
  readonly finalAfter: (blocks: number) => Promise<void>
  /** Drops the newest blocks. */
  readonly dropBlocks: (depth: number) => Promise<void>
  readonly count: (status: string) => Promise<number>
}

/** Opens the program with customers who have a payment of $100 in USDC each. */
export async function openInProcess(cleanup: Cleanup, customers: number): Promise<InProcess> {
  const layout = await newLayout()
  cleanup(() => clearLayout(layout))
  const log = createLog('silent')
  const postgres = await startPostgres({ home: layout.home, log })
  cleanup(postgres.stop)
  await migrate(postgres.url)
  const database: DatabasePool = openDatabase(postgres.url)
  cleanup(database.close)
  const app: App = await createApp(testConfig(postgres.url), { keys: testKeys(), log })
  cleanup(app.close)
  await fillCustomers(database.pool, customers)
  const logged = openDatabase(postgres.url)
  cleanup(logged.close)
  return withFakeBlocks(asSystem(app.ctx), database.pool, { db: logged.db, texts: logStatements(logged.pool) })
}

type Logged = { readonly db: Db; readonly texts: string[] }

async function withFakeBlocks(ctx: Context, pool: Pool, logged: Logged): Promise<InProcess> {
  let asset = await getAsset(ctx, ASSET)
  const { rows } = await pool.query<{ key: Buffer }>('SELECT key FROM addresses ORDER BY id')
  const addresses = await addressesByKeys(
    ctx,
    1,
    rows.map(({ key }) => key),
  )
  let height = 100
  let paid = 0
  let confirmations = 2
  const nextBlock = (): BlockRef => {
    height += 1
    return { height, hash: `0xb${height}`, parentHash: `0xb${height - 1}`, minedAt: ctx.now() }
  }
  const blockOf = (transfers: number): ReceivedBlock => {
    const block = nextBlock()
    const take = () => addresses[(paid += 1) - 1] ?? endOfCustomers()
    return {
      block,
      transfers: Array.from({ length: transfers }, () => {
        const address = take()
        const txId = `0x${paid.toString(16).padStart(64, '0')}`
        const parts = { kind: 'token', leg: 'log:0' as Leg, evidence: 'receipt', senders: [STRANGER] } as const
        return {
          asset,
          address,
          isOwn: false,
          transfer: { ...parts, assetId: ASSET, to: address.address, units: DUE, txId, block },
        }
      }),
    }
  }
  const take = (blocks: readonly ReceivedBlock[], db = ctx.db) =>
    inTransaction({ ...ctx, db }, (tx) =>
      creditBlocks(tx, { blockchainId: BLOCKCHAIN, blocks, tip: height, finalized: -1 }),
    )
  const prepare: InProcess['prepare'] = async (count, perBlock) => {
    const blocks = Array.from({ length: count }, () => blockOf(perBlock))
    return { run: () => take(blocks) }
  }
  return {
    pool,
    prepare,
    pay: async (count, perBlock) => (await prepare(count, perBlock)).run(),
    statementsOfOne: () => countStatements(logged, (db) => take([blockOf(1)], db)),
    settle: () => take(Array.from({ length: confirmations }, () => blockOf(0))),
    finalAfter: async (blocks) => {
      confirmations = blocks
      await pool.query('UPDATE blockchains SET min_confirmations = $1 WHERE id = $2', [blocks, BLOCKCHAIN])
      // Transfers carry the confirmations of their asset, as the watcher reads it anew for every block.
      asset = await getAsset(ctx, ASSET)
    },
    dropBlocks: async (depth) => {
      height -= depth
      await revertDeposits(ctx, { blockchainId: BLOCKCHAIN, toHeight: height })
    },
    count: (status) => countPayments(pool, status),
  }
}

async function countPayments(pool: Pool, status: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>('SELECT count(*)::int AS n FROM payments WHERE status = $1', [
    status,
  ])
  return rows[0]?.n ?? 0
}

/** How many statements the work takes, besides begin and commit. */
async function countStatements({ db, texts }: Logged, work: (db: Db) => Promise<void>): Promise<number> {
  texts.length = 0
  await work(db)
  return texts.filter((text) => text !== 'begin' && text !== 'commit').length
}

const STRANGER = '0x00000000000000000000000000000000000bEEf1'

function endOfCustomers(): never {
  throw new Error('More payments were asked for than there are customers')
}

/** Customers, their addresses and a pinned payment of each, written straight into the tables. */
async function fillCustomers(pool: Pool, customers: number): Promise<void> {
  await pool.query(`
    WITH project AS (INSERT INTO projects (name) VALUES ('Bench') RETURNING id),
    accepted AS (INSERT INTO project_assets (project_id, asset_id) SELECT id, ${ASSET} FROM project),
    wallet AS (
      INSERT INTO wallets (name, wallet_type, wallet_sub_type, secret_type)
      VALUES ('Bench', 'deposit_wallet', 'eoa', 'xpub') RETURNING id
    ), customer AS (
      INSERT INTO customers (project_id, customer_id, email)
      SELECT id, 'payer-' || n, 'payer-' || n || '@mail.example' FROM project, generate_series(1, ${customers}) AS n
      RETURNING id, project_id
    ), address AS (
      INSERT INTO addresses (wallet_id, family_id, key, address, derivation_index, path, status, customer_id, project_id)
      SELECT wallet.id, 1, decode(lpad(to_hex(customer.id), 40, '0'), 'hex'), '0x' || lpad(to_hex(customer.id), 40, '0'),
        customer.id, 'm/' || customer.id, 'assigned', customer.id, customer.project_id
      FROM wallet, customer RETURNING id, customer_id
    ), payment AS (
      INSERT INTO payments (reference_id, project_id, customer_id, amount_usd, created_by, asset_id, due_units, expires_at,
        rate_locked_until)
      SELECT gen_random_uuid(), project_id, id, 100, 'system', ${ASSET}, ${DUE}, now() + interval '1 day', now() + interval '1 day'
      FROM customer RETURNING id, customer_id, due_units
    )
    INSERT INTO quotes (payment_id, asset_id, address_id, price_usd, due_units, quoted_at, locked_until, evidence)
    SELECT payment.id, ${ASSET}, address.id, 1, due_units, now(), now() + interval '1 day', '[]'
    FROM payment JOIN address USING (customer_id)`)
  await pool.query('UPDATE payments SET quote_id = quotes.id FROM quotes WHERE quotes.payment_id = payments.id')
  await pool.query('VACUUM ANALYZE')
}
