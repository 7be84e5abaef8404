import type { FakeBlock } from '@kassa/chains/testing/fake-chain/sealing.ts'
import type { TrueMove } from '@kassa/chains/testing/fake-chain/transactions.ts'

import { EVENTS } from '@kassa/contract/webhooks/events.ts'

import { asSystem, type Context, inTransaction } from '../../context.ts'
import { INVARIANTS } from '../../app.ts'
import { EVERYTHING } from '../../modules/ledger/invariants.ts'
import { lockPayment } from '../../modules/payments/payment/store.ts'
import { recomputePayment } from '../../modules/payments/funding/recompute-payment.ts'
import { type Cursor, plainContext, type SimulatedChain, type World } from './world.ts'
import { Broken } from './broken.ts'
import { assetsIn } from './payer.ts'
import type { Process } from './scheduler.ts'

type Row = Readonly<Record<string, unknown>>

async function rows(world: World, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await world.database.query(text, values)).rows
}

/** Checks the invariants of the ledger (money.md 4.5). @throws Broken */
export async function checkInvariants(world: World): Promise<void> {
  for (const { name, sql } of INVARIANTS) {
    const [found] = await rows(world, sql(EVERYTHING))
    if (found) throw new Broken(name, String(found['subject']))
  }
}

/** Checks that a cursor only follows its branch, or goes back to where another branch left it. @throws Broken */
export function cursorGuard(world: World): () => Promise<void> {
  const last = world.cursors
  return async () => {
    for (const row of await rows(
      world,
      'SELECT blockchain_id, height, hash, epoch, finalized_height FROM chain_cursors',
    )) {
      const chain = world.chains.find(({ id }) => id === row['blockchain_id'])
      const next = {
        height: Number(row['height']),
        hash: String(row['hash']),
        epoch: row['epoch'] as bigint,
        finalized: Number(row['finalized_height']),
      }
      const before = last.get(Number(row['blockchain_id']))
      last.set(Number(row['blockchain_id']), next)
      if (chain && before) checkMove(chain, before, next)
    }
  }
}

function checkMove({ code, chain }: SimulatedChain, before: Cursor, next: Cursor): void {
  const complain = (why: string) => {
    throw new Broken('cursor', `${code} from ${before.height} to ${next.height}: ${why}`)
  }
  if (next.epoch < before.epoch) complain('the epoch fell')
  if (next.finalized < before.finalized) complain('what was final is not any more')
  if (next.height < before.finalized) complain('it went below what was final')
  if (!chain.tree.has(next.hash)) complain('there is no such block')
  const [low, high] = before.height <= next.height ? [before.hash, next.hash] : [next.hash, before.hash]
  if (!isAncestor(chain.tree, low, high)) complain('neither block is below the other')
}

function isAncestor(tree: ReadonlyMap<string, FakeBlock>, low: string, high: string): boolean {
  const bottom = tree.get(low)?.height ?? -1
  for (let block = tree.get(high); block && block.height >= bottom; block = tree.get(block.parentHash)) {
    if (block.hash === low) return true
  }
  return false
}

/**
 * Checks that earlier webhooks of the same payment had their first attempts before this one arrived (api.md 6.4).
 * @throws Broken
 */
export async function checkOrder(world: World, eventId: string): Promise<void> {
  // The bound is a time, so it holds only while the clocks agree.
  if (world.chaos.clock > 0) return
  const [early] = await rows(
    world,
    `SELECT earlier.sequence AS waiting, received.sequence AS came FROM deliveries AS received JOIN deliveries AS earlier
       ON earlier.webhook_id = received.webhook_id AND earlier.order_key = received.order_key AND earlier.sequence < received.sequence
     WHERE received.event_id = $1 AND earlier.status = 'pending'
       AND (earlier.ordered_until IS NULL OR earlier.ordered_until > $2)`,
    [eventId, new Date(world.scheduler.now())],
  )
  if (early) throw new Broken('webhook order', `${String(early['came'])} came while ${String(early['waiting'])} waits`)
}

/** Checks that every quote uses a price that its source reported and that is plausible. @throws Broken */
export async function checkQuotes(world: World): Promise<void> {
  const quotes = await rows(
    world,
    `SELECT DISTINCT currency_code, trim_scale(price_usd)::text AS price FROM quotes JOIN assets ON assets.id = asset_id`,
  )
  for (const { currency_code: code, price } of quotes) {
    const good = [...(world.goodPrices.get(String(code)) ?? [])].map(Number)
    // A stable coin close to a dollar is priced at one dollar.
    if (![...good, 1].includes(Number(price)))
      throw new Broken('price', `${String(code)} was quoted at ${String(price)}`)
    const isStable = code === 'USDC' || code === 'USDT'
    if (!isStable && Number(price) === 1) throw new Broken('price', `${String(code)} was quoted at 1`)
  }
}

type Expected = TrueMove & { readonly blockHash: string; readonly assetId: number }

/** What really arrived at addresses of customers on the canonical branches. */
async function truth(world: World, chain: SimulatedChain): Promise<Map<string, Expected>> {
  const owned = await rows(world, 'SELECT lower(address) AS address, customer_id FROM addresses')
  const hot = (world.treasury?.wallets ?? []).map(({ address }) => lower(address))
  const ours = new Set([...owned.map(({ address }) => String(address)), ...hot])
  const customers = new Set(owned.filter((row) => row['customer_id'] !== null).map(({ address }) => String(address)))
  const expected = new Map<string, Expected>()
  for (const { hash: blockHash, transactions } of chain.chain.view().blocks) {
    for (const tx of transactions) {
      for (const move of tx.moves) {
        const asset = assetsIn(world).find((each) => each.chain === chain.code && each.token === move.token)
        if (!asset || !customers.has(lower(move.to)) || ours.has(lower(move.from))) continue
        const key = `${chain.id} ${tx.hash} ${move.leg}`
        expected.set(key, { ...move, blockHash, assetId: asset.id })
      }
    }
  }
  return expected
}

/** Addresses are compared without case, whichever of them has one. */
function lower(address: string): string {
  return address.toLowerCase()
}

const PLACED = new Set(['applied', 'unapplied', 'ignored', 'quarantined'])

/** Checks that every real transfer is finalized exactly once, and nothing else is. @throws Broken */
export async function checkTransfers(world: World): Promise<void> {
  for (const chain of world.chains.filter(({ isHalted }) => !isHalted)) {
    const expected = await truth(world, chain)
    const live = await rows(
      world,
      `SELECT blockchain_id || ' ' || tx_id || ' ' || leg AS key, status, units, lower(to_address) AS "to", asset_id, block_hash
       FROM deposits WHERE blockchain_id = $1 AND status <> 'reverted'`,
      [chain.id],
    )
    const counted = new Map<string, Row>()
    for (const row of live) {
      const key = String(row['key'])
      const move = expected.get(key)
      if (counted.has(key)) throw new Broken('exactly once', `${key} is credited twice`)
      if (!move) throw new Broken('no fake', `${key} never arrived`)
      if (String(move.units) !== row['units'] || lower(move.to) !== row['to'] || move.assetId !== row['asset_id']) {
        throw new Broken('exact amounts', `${key} is ${String(row['units'])}, not ${move.units}`)
      }
      if (row['block_hash'] !== move.blockHash) throw new Broken('follows the branch', `${key} is in another block`)
      if (!PLACED.has(String(row['status']))) throw new Broken('finalized', `${key} is ${String(row['status'])}`)
      counted.set(key, row)
    }
    for (const key of expected.keys()) if (!counted.has(key)) throw new Broken('nothing lost', `${key} has no deposit`)
    await checkAddresses(world, chain)
  }
}

/** Checks that the ledger holds at each address what the chain holds there, to the unit. @throws Broken */
async function checkAddresses(world: World, { id, code, chain: branches }: SimulatedChain): Promise<void> {
  const owned = await rows(world, 'SELECT lower(address) AS address FROM addresses WHERE customer_id IS NOT NULL')
  const customers = new Set(owned.map(({ address }) => String(address)))
  const balances = new Map<string, bigint>()
  const add = (address: string, assetId: number, units: bigint) => {
    const place = `${address} ${assetId}`
    if (customers.has(address)) balances.set(place, (balances.get(place) ?? 0n) + units)
  }
  for (const move of branches.view().blocks.flatMap(({ transactions }) => transactions.flatMap(({ moves }) => moves))) {
    const asset = assetsIn(world).find((each) => each.chain === code && each.token === move.token)
    if (!asset) continue
    add(lower(move.to), asset.id, move.units)
    add(lower(move.from), asset.id, -move.units)
  }
  const booked = await rows(
    world,
    `SELECT lower(addresses.address) || ' ' || unit_id AS place, debits - credits AS units FROM accounts
     JOIN addresses ON owner_key = 'address:' || addresses.id JOIN assets ON assets.id = unit_id
     WHERE kind = 'chain:deposit-addresses' AND assets.blockchain_id = $1`,
    [id],
  )
  const books = new Map(booked.map((row) => [String(row['place']), BigInt(String(row['units']))]))
  for (const place of new Set([...balances.keys(), ...books.keys()])) {
    const [chain, ledger] = [balances.get(place) ?? 0n, books.get(place) ?? 0n]
    if (chain !== ledger) throw new Broken('ledger = chain', `${code} ${place}: chain ${chain}, ledger ${ledger}`)
  }
}

/** The longest time without a check of the clock when days pass. */
const CLOCK_MS = 3_600_000

/** Longer than the check itself takes of the simulated time: a payment may expire between its parts. */
const CHECK_MS = 60_000

/** Checks that computing a payment from its deposits again changes nothing. @throws Broken */
export async function checkPayments(world: World): Promise<void> {
  const undo = new Error('This is always rolled back')
  // What the clock changes next has its own worker, which may be asleep.
  const ids = await rows(world, 'SELECT id FROM payments WHERE expires_at NOT BETWEEN $1 AND $2 ORDER BY id', [
    new Date(world.scheduler.now() - CLOCK_MS),
    new Date(world.scheduler.now() + CHECK_MS),
  ])
  await inAuditor(world, async (ctx) => {
    for (const { id } of ids) {
      const seen: string[] = []
      await inTransaction(ctx, async (tx) => {
        const before = await lockPayment(tx, id as bigint)
        if (!before) return
        const after = await recomputePayment(
          { ...tx, events: { ...tx.events, emit: async (_ctx, { type }) => Promise.reject(new Error(type)) } },
          before,
        )
        for (const field of ['status', 'fundingState', 'seenUnits', 'filledUnits', 'overUnits', 'late'] as const) {
          if (before[field] !== after[field]) seen.push(`${field} is ${before[field]}, not ${after[field]}`)
        }
        throw undo
      }).catch((error: unknown) => {
        if (error !== undo) throw new Broken('status is a function of facts', `payment ${String(id)}: ${String(error)}`)
      })
      if (seen.length > 0) throw new Broken('status is a function of facts', `payment ${String(id)} ${seen.join(', ')}`)
    }
  })
}

/** Runs the work as a process of its own without faults. */
async function inAuditor(world: World, work: (ctx: Context) => Promise<void>): Promise<void> {
  let outcome: PromiseSettledResult<void> | undefined
  const auditor = world.scheduler.start('auditor', async (process) => {
    const [result] = await Promise.allSettled([work(auditorContext(world, process))])
    outcome = result
  })
  while (!outcome) await world.scheduler.step(() => 'go', auditor)
  if (outcome.status === 'rejected') throw outcome.reason
}

function auditorContext(world: World, process: Process): Context {
  const nothing = async () => undefined
  return asSystem({
    ...plainContext(world.sessions.open(process)),
    now: () => new Date(world.scheduler.now()),
    sleep: nothing,
    jobs: { send: nothing, workerOf: () => undefined },
    egress: world.receiver.egress,
    connect: () => {
      throw new Error('An auditor asks no node')
    },
  })
}

/**
 * Checks that every event has arrived at each endpoint that subscribes to it, or waits with a deposit for an operator
 * (api.md 6.4).
 * @throws Broken
 */
export async function checkDelivered(world: World): Promise<void> {
  const accepted = new Set(
    world.receiver.received.flatMap((one) => (one.isAccepted ? [`${one.endpoint} ${one.eventId}`] : [])),
  )
  const due = await rows(
    world,
    `SELECT url || ' ' || event_id AS key, event_type, deliveries.status,
       deliveries.status = 'waiting_for_approval' AND EXISTS (SELECT FROM payments JOIN deposits ON payment_id = payments.id
         WHERE payments.reference_id = deliveries.reference_id AND deposits.status = 'quarantined') AS quarantined
     FROM deliveries JOIN webhooks ON webhooks.id = webhook_id`,
  )
  for (const { key, event_type: type, status, quarantined } of due) {
    if (accepted.has(String(key)) || quarantined) continue
    throw new Broken('delivered at least once', `${String(type)} is ${String(status)} and never arrived`)
  }
  const types = Object.entries(EVENTS).flatMap(([type, { delivered }]) => (delivered === 'default' ? [type] : []))
  const [undelivered] = await rows(
    world,
    `SELECT type FROM events WHERE type = ANY ($1) AND type LIKE 'payment.%'
       AND NOT EXISTS (SELECT FROM deliveries WHERE event_id = events.event_id)`,
    [types],
  )
  if (undelivered) throw new Broken('delivered at least once', `${String(undelivered['type'])} has no delivery`)
}

/**
 * Checks that a chain that replaced more than a program may revert is halted and unchanged, and that no other is.
 * @throws Broken
 */
export async function checkHalted(world: World): Promise<void> {
  for (const chain of world.chains) {
    const [cursor] = await rows(world, 'SELECT state, stop_cause FROM chain_cursors WHERE blockchain_id = $1', [
      chain.id,
    ])
    chain.isHalted = cursor?.['state'] === 'halted'
    if (chain.isHalted ? chain.broken === null : chain.broken === 'surely') {
      throw new Broken(
        'halts below finality',
        `${chain.code} is ${String(cursor?.['state'])}: ${JSON.stringify(cursor?.['stop_cause'])}`,
      )
    }
  }
}
