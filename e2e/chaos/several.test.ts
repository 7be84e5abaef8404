/** Two processes of each role on one database, straight and behind a pooler, any of them killed at random moments. */
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { clearLayout, newLayout, type Layout } from '../instance.ts'
import { until } from '../until.ts'
import { expectBalances, expectBooks, expectRight, expectDelivered } from './audit.ts'
import { type Chaos, killing, unleash } from './strikes.ts'
import { openSharedDatabase, type SharedDatabase } from './database.ts'
import { seedRandom } from './random.ts'
import { type Cluster, mortals, ownerOf, planCluster, startCluster, stopCluster } from './cluster.ts'
import { placeOrder, transfersOf } from './orders.ts'
import { openPayer } from './payer.ts'
import { askForPayouts, expectPaidOnce, lessPaid, openFloat } from './payouts.ts'
import { type Pooler, poolerProgram, startPooler } from './pooler.ts'
import { type EventReceiver, startEventReceiver } from './receiver.ts'
import { chainUrl, type Slot } from './slot.ts'
import { type ChaosShop, openChaosShop } from './shop.ts'
import { isLong, payInWaves } from './load.ts'

/** A minute on a quiet machine of two cores. */
const WITHIN_MS = 700_000

/** As `pg_ctl restart` does it, as `pg_ctl -m immediate` does, and as the system does that is out of memory. */
const RESTARTS = [
  { how: 'restarted', signal: 'SIGINT' },
  { how: 'stopped at once', signal: 'SIGQUIT' },
  { how: 'killed', signal: 'SIGKILL' },
] as const

type Way = {
  readonly way: string
  /** Whether the first and the second of each role ask the pooler. */
  readonly isPooled: readonly [boolean, boolean]
  /** Payments while processes are killed, so many times. */
  readonly payments: number
  readonly strikes: number
  /** Payouts meanwhile. */
  readonly payouts: number
}

const hasPooler = poolerProgram !== undefined
if (!hasPooler) {
  console.log('Not run behind pgbouncer: it is not installed (Debian: sudo apt-get install pgbouncer).')
}

const LARGE = { payments: 500, strikes: 30, payouts: 300 }
const MIDDLE = { payments: 150, strikes: 10, payouts: 100 }
const SMALL = { payments: 40, strikes: 4, payouts: 8 }

/** Behind the pooler goes one process of each role, so that both ways are met by one short run; a long run has each alone. */
const WAYS: readonly Way[] = isLong
  ? [
      { way: 'straight', isPooled: [false, false], ...LARGE },
      ...(hasPooler ? [{ way: 'behind pgbouncer', isPooled: [true, true], ...MIDDLE } as const] : []),
    ]
  : [{ way: hasPooler ? 'one of them behind pgbouncer' : 'straight', isPooled: [false, hasPooler], ...SMALL }]

describe.each(WAYS)(
  'two processes of each role on one PostgreSQL, $way',
  ({ way, isPooled, payments, strikes, payouts }) => {
    let layout: Layout
    let database: SharedDatabase
    let pooler: Pooler | undefined
    let cluster: Cluster
    let receiver: EventReceiver
    let shop: ChaosShop
    let chaos: Chaos | undefined
    const random = seedRandom(`two of each role, ${way}`)
    const restarts = isLong ? RESTARTS : [random.pick<(typeof RESTARTS)[number]>(RESTARTS)]
    const deliverers = new Set<string>()
    const leaders = new Set<string>()

    beforeAll(async () => {
      layout = await newLayout()
      const folder = layout.home.replace(/\/kassa$/, '')
      database = await openSharedDatabase(folder)
      if (isPooled.includes(true) && poolerProgram) pooler = await startPooler(poolerProgram, database.url, folder)
      const urlOf = (behind: boolean) => (behind && pooler ? pooler.url : database.url)
      const urls = [urlOf(isPooled[0]), urlOf(isPooled[1])] as const
      cluster = await planCluster(layout, { urls, directUrl: database.url })
      receiver = await startEventReceiver((port) => {
        const slot = ownerOf(port, cluster.workers)
        if (slot) deliverers.add(slot.name)
      })
      await startCluster(cluster)
      shop = await openChaosShop([cluster.apis[0].url, cluster.apis[1].url], receiver)
      await openFloat(shop, cluster.chains.slot.url)
    })

    afterAll(async () => {
      await chaos?.stop()
      if (cluster) await stopCluster(cluster)
      await pooler?.stop()
      await database?.stop()
      await receiver?.close()
      clearLayout(layout)
    })

    /** Watchers' transactions that changed something and wait for a lock. */
    const waiting = () =>
      database.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND wait_event_type = 'Lock'`,
      )

    /** The watcher that leads BASE, once one does. */
    async function leader(other?: Slot): Promise<Slot> {
      const found = await until(
        'a leader of BASE',
        async () => {
          const [row] = await database.query<{ holder: string | null }>(
            `SELECT holder FROM chain_cursors c JOIN blockchains b ON b.id = c.blockchain_id WHERE b.code = 'BASE'`,
          )
          const pid = Number(row?.holder?.split('-')[0])
          return cluster.watchers.find((slot) => slot.pid() === pid && slot !== other)?.name ?? ''
        },
        (name) => name !== '',
        60_000,
      )
      leaders.add(found)
      return cluster.watchers.find(({ name }) => name === found) ?? cluster.watchers[0]
    }

    it('has another watcher lead when the one that leads is killed', async () => {
      const first = await leader()
      const begun = performance.now()
      await first.kill()
      const second = await leader(first)
      expect(second).not.toBe(first)
      console.log(`${second.name} led BASE ${Math.round(performance.now() - begun)} ms after ${first.name} was killed.`)
      await first.start()
    })

    it(
      `takes ${payments} payments and makes ${payouts} payouts while any of them is killed: each right, each event delivered in order and once`,
      async () => {
        const payer = openPayer((code) => chainUrl(cluster.chains.layout, code))
        const [first, ...rest] = mortals(cluster).map((slot) => killing(slot, random))
        if (first === undefined) throw new Error('Nobody can be killed')
        chaos = unleash(random, strikes, [first, ...rest])
        const asked = askForPayouts(shop, random, payouts)
        // Awaited later; until then a rejection has no handler.
        asked.catch(() => undefined)
        const orders = await payInWaves({
          counter: shop.counter,
          payer,
          random,
          payments,
          // The process that runs the chains lives apart and is left alone.
          whilePaying: (work) => work(),
        })
        const struck = await chaos.over
        console.log(`Struck ${struck.length} times: ${struck.join(', ')}.`)
        await expectRight(shop.counter, orders)
        const delivered = await expectDelivered(shop, receiver)
        console.log(`${orders.length} payments, ${delivered} events in ${receiver.requests()} requests.`)
        const paidOut = await asked
        await expectPaidOnce(
          shop,
          { url: chainUrl(cluster.chains.layout, 'BASE'), token: SANDBOX_TOKENS.usdc },
          paidOut,
        )
        await expectBalances(shop, lessPaid(payer.sent, paidOut))
        await expectBooks(shop.operator)
      },
      WITHIN_MS,
    )

    it('recovers when PostgreSQL is restarted in the middle of a transaction, and half of nothing stays', async () => {
      if (database.strike === undefined) return console.log('PostgreSQL is not ours: it is not restarted.')
      const payer = openPayer((code) => chainUrl(cluster.chains.layout, code))
      for (const { how, signal } of restarts) {
        const order = await placeOrder(shop.counter, random, { kind: 'exact' })
        await database.whileLocked('events', async () => {
          await payer.send(order.blockchain, transfersOf(order).now)
          await until('a transaction that has written, and waits', waiting, (pids) => pids.length > 0)
          database.strike?.(signal)
        })
        const begun = performance.now()
        await expectRight(shop.counter, [order])
        console.log(`PostgreSQL ${how}: the payment was settled ${Math.round(performance.now() - begun)} ms later.`)
      }
      await expectDelivered(shop, receiver)
      await expectBooks(shop.operator)
    })

    it('shared the work: both workers sent events, both watchers led', async () => {
      // A worker that was down while the crowd paid sends some of what comes now.
      const payer = openPayer((code) => chainUrl(cluster.chains.layout, code))
      for (let left = 20; left > 0 && deliverers.size < cluster.workers.length; left -= 1) {
        const order = await placeOrder(shop.counter, random, { kind: 'exact' })
        await payer.send(order.blockchain, transfersOf(order).now)
        await expectRight(shop.counter, [order])
        await expectDelivered(shop, receiver)
      }
      expect([...deliverers].toSorted()).toEqual(['worker-1', 'worker-2'])
      expect([...leaders].toSorted()).toEqual(['watcher-1', 'watcher-2'])
    })
  },
)
