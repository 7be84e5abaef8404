import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { type RawBuilder, sql } from 'kysely'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FaultyNode, faultyNode } from '../../../testing/faulty-node.ts'
import { INVARIANTS } from '../../../app.ts'
import { type TestContext, testContext } from '../../../testing/context.ts'
import { type CustomerAddress, customerAddress } from '../../../testing/customer-address.ts'
import { inTransaction } from '../../../context.ts'
import { openAlarms } from '../../alarms/service.ts'
import { findBlockchain, seedBlockchains } from '../../blockchains/chains/service.ts'
import { setSandboxNode } from '../../blockchains/nodes/service.ts'
import { lockCustomers } from '../../customers/service.ts'
import { checkLedger } from '../../reconciliation/service.ts'
import { rollBackTo } from '../follow/apply-blocks.ts'
import { balanceSource } from './balance-source.ts'
import { listBlocks } from '../blocks/block-store.ts'
import { checkBalancesOf } from './read-balances.ts'
import { requestRescan, runRescan } from '../rescan/rescan-range.ts'
import { findCursor } from '../blocks/cursor-store.ts'
import { type TestReader, testReader } from '../../../testing/test-follower.ts'

const ETH = 1
const NEVER = new AbortController().signal
const MILLI = 10n ** 15n

let test: TestContext
let anvil: AnvilChain
let blind: FaultyNode
let reader: TestReader
let payer: CustomerAddress

beforeAll(async () => {
  ;[test, anvil] = await Promise.all([testContext(), openAnvilChain()])
  blind = await faultyNode(anvil.url)
  blind.setFault(null, (request) => request.replaceAll('debug_trace', 'no_trace'))
  await seedBlockchains(test.ctx)
}, 60_000)
afterAll(async () => {
  await blind.stop()
  await anvil.stop()
  await test.stop()
})

/** A customer with a payment in a coin, followed through a node without traces. */
beforeEach(async () => {
  await readWith(blind.url)
  payer = await customerAddress(test.ctx)
  await askFor(payer)
})
afterEach(async () => {
  await sql`UPDATE alarms SET cleared_at = now()`.execute(test.ctx.db)
})

async function readWith(url: string): Promise<void> {
  await setSandboxNode(test.ctx, 'ETH', url)
  reader = await testReader(test.ctx, 'ETH')
  await reader.catchUp()
}

/** Pins the payment to the coin, without the route. */
async function askFor({ id, projectId, customerId }: CustomerAddress): Promise<void> {
  const due = String(10n * MILLI)
  await sql`
    WITH payment AS (
      INSERT INTO payments (reference_id, project_id, customer_id, amount_usd, created_by, expires_at, asset_id, due_units)
      VALUES (gen_random_uuid(), ${projectId}, ${customerId}, 20, 'system', now() + interval '1 hour', 1, ${due})
      RETURNING id
    )
    INSERT INTO quotes (payment_id, asset_id, address_id, price_usd, due_units, quoted_at, locked_until, evidence)
    SELECT id, 1, ${id}, 2000, ${due}, now(), now() + interval '1 hour', '[]' FROM payment`.execute(test.ctx.db)
  await sql`UPDATE payments SET quote_id = quotes.id FROM quotes WHERE quotes.payment_id = payments.id`.execute(
    test.ctx.db,
  )
}

const madeAt = (time: RawBuilder<unknown>) =>
  sql`UPDATE payments SET created_at = ${time} WHERE customer_id = ${payer.customerId}`.execute(test.ctx.db)

/** A contract forwards coins: no log, and nothing in the transaction, shows it. */
const forward = (milli: bigint, to = payer) =>
  anvil.probeCalls([{ target: to.address as Hex, value: milli * MILLI }], milli * MILLI)

const row = async () => (await findBlockchain(test.ctx, ETH)) ?? expect.unreachable()
const pass = async () => {
  // Makes every snapshot old enough to be due.
  await sql`UPDATE address_snapshots SET checked_at = checked_at - interval '10 minutes'`.execute(test.ctx.db)
  const source = (await balanceSource(test.ctx, await row(), NEVER)) ?? expect.unreachable()
  await checkBalancesOf(test.ctx, source)
}
/** Everything read so far becomes final. */
const finalize = () =>
  sql`UPDATE chain_cursors SET finalized_height = height WHERE blockchain_id = ${ETH}`.execute(test.ctx.db)
const resume = async () => {
  await anvil.mine(2)
  await reader.catchUp()
}
/** Passes until everything read so far has a snapshot, is final and is credited. */
const passUntilFinal = async () => {
  for (const _pass of ['snapshot', 'credit']) {
    await finalize()
    await pass()
  }
}
/** A snapshot, an event, and a snapshot after it. */
const between = async (happen: () => Promise<unknown>) => {
  await passUntilFinal()
  await happen()
  await resume()
  await pass()
}

type Row = { units: string; evidence: string; leg: string; status: string }
const deposits = async (of = payer) =>
  (
    await sql<Row>`SELECT units, evidence, leg, status FROM deposits WHERE address_id = ${of.id} ORDER BY id`.execute(
      test.ctx.db,
    )
  ).rows.map(({ units, evidence, status }) => [BigInt(units) / MILLI, evidence, status])
const rescan = async (from: number, to: number) =>
  runRescan(
    { ...test.ctx, sleep: async () => {} },
    await requestRescan(test.ctx, { blockchainId: ETH, from, to, reason: 'traces', by: 'operator:1' }),
    NEVER,
  )

/** A node with traces rereads everything read so far; then the node without traces continues. */
async function findTraced(): Promise<void> {
  await setSandboxNode(test.ctx, 'ETH', anvil.url)
  const head = (await findCursor(test.ctx, ETH))?.height ?? 0
  await rescan(Math.max(1, head - 20), head)
  await setSandboxNode(test.ctx, 'ETH', blind.url)
}

describe('watch: native money by balance (2.4)', () => {
  it('credits what no trace shows as soon as it is final, and only once', async () => {
    await between(() => forward(10n))
    expect(await deposits()).toEqual([])
    await finalize()
    await Promise.all([pass(), pass()])
    await passUntilFinal()
    expect(await deposits()).toEqual([[10n, 'balance', 'applied']])
    expect((await checkLedger(test.ctx, INVARIANTS)).broken).toEqual([])
  })

  it('commits everything or nothing when the process dies in the middle', async () => {
    await between(() => forward(10n))
    await finalize()
    await sql`ALTER TABLE balance_deposits RENAME TO gone`.execute(test.ctx.db)
    await expect(pass()).rejects.toThrow('balance_deposits')
    await sql`ALTER TABLE gone RENAME TO balance_deposits`.execute(test.ctx.db)
    expect(await deposits()).toEqual([])
    await passUntilFinal()
    expect(await deposits()).toEqual([[10n, 'balance', 'applied']])
  })

  it('credits the others while one of them cannot be stored, and that one afterwards', async () => {
    const other = await customerAddress(test.ctx)
    await askFor(other)
    await between(async () => {
      await forward(7n)
      await forward(11n, other)
    })
    await finalize()
    const alter = (text: string) => sql`${sql.raw(text)}`.execute(test.ctx.db)
    await alter(`CREATE TRIGGER broken BEFORE INSERT ON deposits FOR EACH ROW WHEN (NEW.address_id = ${payer.id})
      EXECUTE FUNCTION refuse_change()`)
    await expect(pass()).rejects.toThrow('never changed')
    expect([await deposits(), await deposits(other)]).toEqual([[], [[11n, 'balance', 'applied']]])
    await alter('DROP TRIGGER broken ON deposits')
    await passUntilFinal()
    expect(await deposits()).toEqual([[7n, 'balance', 'applied']])
  })

  it('adds up to the received units, in whatever order snapshots and rescans run', async () => {
    const steps = { forward: () => forward(3n), resume, pass, passUntilFinal, find: () => findTraced() }
    const names = fc.array(fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[])), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(names, async (order) => {
        payer = await customerAddress(test.ctx)
        await askFor(payer)
        await passUntilFinal()
        await passUntilFinal()
        for (const name of order) await steps[name]()
        await resume()
        for (const last of [passUntilFinal, passUntilFinal, findTraced, passUntilFinal]) await last()
        const came = 3n * BigInt(order.filter((name) => name === 'forward').length)
        expect((await deposits()).reduce((sum, [units]) => sum + BigInt(units ?? 0), 0n)).toBe(came)
      }),
      { numRuns: 4 },
    )
    expect((await checkLedger(test.ctx, INVARIANTS)).broken).toEqual([])
  }, 60_000)

  it('counts only what receipts do not explain', async () => {
    await between(async () => {
      await anvil.send({ to: payer.address as Hex, value: 7n * MILLI })
      await anvil.transfer(SANDBOX_TOKENS.usdc, payer.address as Hex, 5_000_000n)
      await forward(4n)
    })
    await passUntilFinal()
    const byBalance = (await deposits()).filter(([, evidence]) => evidence === 'balance')
    expect(byBalance).toEqual([[4n, 'balance', 'applied']])
    expect(await deposits()).toHaveLength(3)
  })

  it('leaves out what an operator booked as dust', async () => {
    await between(() => forward(10n))
    await sql`
      INSERT INTO discrepancies (blockchain_id, asset_id, address_id, units, height, state, note, found_at, ended_at)
      VALUES (${ETH}, 1, ${payer.id}, ${String(10n * MILLI)}, ${await anvil.height()}, 'booked', 'a reward', now(), now())`.execute(
      test.ctx.db,
    )
    await passUntilFinal()
    expect(await deposits()).toEqual([])
    await sql`DELETE FROM discrepancies`.execute(test.ctx.db)
  })

  it('waits until small amounts reach the minimum', async () => {
    await sql`UPDATE assets SET min_deposit_units = ${String(6n * MILLI)} WHERE id = 1`.execute(test.ctx.db)
    await between(() => forward(4n))
    await passUntilFinal()
    expect(await deposits()).toEqual([])
    await between(() => forward(3n))
    await passUntilFinal()
    expect(await deposits()).toEqual([[7n, 'balance', 'applied']])
    await sql`UPDATE assets SET min_deposit_units = 1 WHERE id = 1`.execute(test.ctx.db)
  })

  it('sees what arrives although the last snapshot was taken by a clock that was a day ahead', async () => {
    await passUntilFinal()
    await sql`UPDATE address_snapshots SET checked_at = now() + interval '1 day'`.execute(test.ctx.db)
    await between(() => forward(10n))
    await passUntilFinal()
    expect(await deposits()).toEqual([[10n, 'balance', 'applied']])
  })

  it('takes snapshots only where a customer may be paying in the coin', async () => {
    const stranger = await customerAddress(test.ctx)
    await between(() => forward(10n, stranger))
    await passUntilFinal()
    expect(await deposits(stranger)).toEqual([])
    expect(
      (await sql`SELECT FROM address_snapshots WHERE address_id = ${stranger.id}`.execute(test.ctx.db)).rows,
    ).toEqual([])
  })

  it('credits nothing that was there before the payment was made', async () => {
    payer = await customerAddress(test.ctx)
    await forward(10n)
    await resume()
    await askFor(payer)
    await madeAt(sql`now() + interval '5 minutes'`)
    await passUntilFinal()
    await resume()
    await passUntilFinal()
    expect(await deposits()).toEqual([])
  })

  it('credits what came in a block of the second in which the payment was made', async () => {
    await forward(10n)
    await resume()
    await madeAt(sql`(SELECT max(mined_at) FROM chain_blocks)`)
    await passUntilFinal()
    await resume()
    await passUntilFinal()
    expect(await deposits()).toEqual([[10n, 'balance', 'applied']])
  })

  it('leaves what arrives without any transaction to an operator, where every block was traced (E24)', async () => {
    await readWith(anvil.url)
    await between(async () => {
      await anvil.call('anvil_setBalance', payer.address, '0x2386f26fc10000')
      await forward(3n)
    })
    await passUntilFinal()
    await resume()
    await passUntilFinal()
    expect(await deposits()).toEqual([[3n, 'trace', 'applied']])
  })

  it('becomes the transfer that a node with traces finds later, in place', async () => {
    await between(() => forward(10n))
    await passUntilFinal()
    const [before] = (
      await sql<{ id: bigint }>`SELECT id FROM deposits WHERE address_id = ${payer.id}`.execute(test.ctx.db)
    ).rows
    await readWith(anvil.url)
    const head = await anvil.height()
    expect(await rescan(head - 3, head)).toMatchObject({ state: 'done', found: 0 })
    const { rows } = await sql<{ id: bigint; leg: string; tx_id: string }>`
      SELECT id, leg, tx_id FROM deposits WHERE address_id = ${payer.id}`.execute(test.ctx.db)
    expect(rows).toEqual([
      {
        id: before?.id,
        leg: `internal:${payer.address.toLowerCase()}:0`,
        tx_id: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
    ])
    expect(await deposits()).toEqual([[10n, 'trace', 'applied']])
    expect(await rescan(head - 3, head)).toMatchObject({ found: 0 })
    expect(await deposits()).toHaveLength(1)
    expect((await checkLedger(test.ctx, INVARIANTS)).broken).toEqual([])
  })

  it('waits for the lock of the customer before it touches the deposit', async () => {
    await between(() => forward(10n))
    await passUntilFinal()
    await readWith(anvil.url)
    const head = await anvil.height()
    const locked = Promise.withResolvers<void>()
    const operator = inTransaction(test.ctx, async (tx) => {
      await lockCustomers(tx, [payer.customerId])
      locked.resolve()
      await vi.waitFor(async () => {
        const { rows } = await sql`
          SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))`.execute(tx.db)
        expect(rows).toHaveLength(1)
      }, 10_000)
      // An operator who moves the deposit comes to this next: it must be free.
      await sql`SELECT FROM deposits WHERE address_id = ${payer.id} FOR UPDATE NOWAIT`.execute(tx.db)
    })
    await locked.promise
    const reread = rescan(head - 3, head)
    await operator
    expect(await reread).toMatchObject({ state: 'done', found: 0 })
    expect(await deposits()).toEqual([[10n, 'trace', 'applied']])
  })

  it('is not counted again when several transfers turn out to be its parts', async () => {
    await between(async () => {
      await forward(4n)
      await forward(6n)
    })
    await passUntilFinal()
    await readWith(anvil.url)
    const head = await anvil.height()
    expect(await rescan(head - 4, head)).toMatchObject({ state: 'done', found: 0 })
    expect(await deposits()).toEqual([[10n, 'balance', 'applied']])
  })

  it('counts less when the transfer was found before', async () => {
    await between(async () => {
      await forward(4n)
      await forward(6n)
    })
    await readWith(anvil.url)
    const head = await anvil.height()
    expect(await rescan(head - 3, head - 3)).toMatchObject({ found: 1 })
    await passUntilFinal()
    expect(await deposits()).toEqual([
      [4n, 'trace', expect.any(String)],
      [6n, 'balance', 'applied'],
    ])
  })

  it('is reverted with its block, and credited once when the chain is read anew', async () => {
    await passUntilFinal()
    const [from] = await listBlocks(test.ctx, ETH, await anvil.height())
    await between(() => forward(10n))
    await passUntilFinal()
    expect(await deposits()).toEqual([[10n, 'balance', 'applied']])
    const cursor = (await findCursor(test.ctx, ETH)) ?? expect.unreachable()
    await rollBackTo(test.ctx, cursor, from ?? expect.unreachable(), await anvil.height())
    expect(await deposits()).toEqual([[10n, 'balance', 'reverted']])
    reader = await testReader(test.ctx, 'ETH')
    await reader.catchUp()
    await passUntilFinal()
    await passUntilFinal()
    expect((await deposits()).filter(([, , status]) => status !== 'reverted')).toEqual([[10n, 'balance', 'applied']])
  })

  it('needs a second node where there is one', async () => {
    const second = await faultyNode(anvil.url)
    await sql`INSERT INTO rpc_nodes (blockchain_id, url, priority) VALUES (${ETH}, ${second.url}, 9)`.execute(
      test.ctx.db,
    )
    const lie = (answer: string) => answer.replaceAll(/"result":"0x[0-9a-f]{1,20}"/g, '"result":"0x0"')
    second.setFault((answer, request) => (request.includes('eth_getBalance') ? lie(answer) : answer))
    await between(() => forward(10n))
    await passUntilFinal()
    expect(await deposits()).toEqual([])
    expect((await openAlarms(test.ctx)).map(({ kind, subject }) => [kind, subject])).toContainEqual([
      'node_disagreement',
      'ETH balances',
    ])
    second.setFault(() => null)
    await passUntilFinal()
    expect(await deposits()).toEqual([])
    second.setFault(null)
    await passUntilFinal()
    expect(await deposits()).toEqual([[10n, 'balance', 'applied']])
    await second.stop()
  })
})
