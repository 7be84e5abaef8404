/** One process that does everything, killed at random moments while hundreds of customers pay on six blockchains. */
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import { afterAll, beforeAll, describe, it } from 'vitest'

import { clearLayout, newLayout, type Layout } from '../instance.ts'
import { expectBalances, expectBooks, expectRight, expectDelivered } from './audit.ts'
import { type Chaos, createLock, killing, unleash } from './strikes.ts'
import { seedRandom } from './random.ts'
import { openPayer } from './payer.ts'
import { type EventReceiver, startEventReceiver } from './receiver.ts'
import { chainUrl, databaseProcess, type Slot, takeSlot } from './slot.ts'
import { type ChaosShop, openChaosShop } from './shop.ts'
import { isLong, payInWaves } from './load.ts'
import { openOnRequest, payOnRequest } from './on-request.ts'

const {
  payments: PAYMENTS,
  strikes: STRIKES,
  rounds: ROUNDS,
} = isLong ? { payments: 500, strikes: 12, rounds: 6 } : { payments: 60, strikes: 5, rounds: 1 }

/** A minute and a half on a quiet machine of two cores. */
const WITHIN_MS = 700_000

let layout: Layout
let slot: Slot
let shop: ChaosShop
let receiver: EventReceiver
let chaos: Chaos | undefined

beforeAll(async () => {
  layout = await newLayout()
  slot = takeSlot({ name: 'server', layout })
  ;[receiver] = await Promise.all([startEventReceiver(), slot.start()])
  shop = await openChaosShop([slot.url], receiver)
  await openOnRequest(shop)
})

afterAll(async () => {
  await chaos?.stop()
  await slot?.stop()
  await slot?.killEverything()
  await receiver?.close()
  clearLayout(layout)
})

/** Asks the program to write the chains to disk: what was paid straight at a node survives the end of that node too. */
async function writeChains(): Promise<void> {
  for (const b of ['ETH', 'BASE']) await shop.operator(sandboxRoutes.mineBlocks, { params: { b }, body: { blocks: 1 } })
}

/** A signal to the database's first process, as somebody else or the system would send it; the instance starts it again. */
function strikeDatabase(signal: 'SIGKILL' | 'SIGQUIT'): void {
  const pid = databaseProcess(layout.home)
  if (pid !== undefined) process.kill(pid, signal)
}

describe(`kill -9 at random moments of ${PAYMENTS} payments`, () => {
  it(
    'ends with every payment right, every event delivered in order, and the books as the chains',
    async () => {
      const random = seedRandom('kill -9, one process')
      const lock = createLock()
      const server = killing(slot, random)
      chaos = unleash(random, STRIKES, [
        server,
        server,
        {
          name: 'everything',
          // What customers paid is on disk, or not sent yet: a chain that lost their transfers would owe them nothing.
          run: () =>
            lock(async () => {
              await slot.killEverything()
              await slot.start()
            }),
        },
        // A database that is killed; and one that is stopped with `pg_ctl -m immediate`, which sends SIGQUIT.
        { name: 'database', run: async () => strikeDatabase('SIGKILL') },
        { name: 'database, immediate', run: async () => strikeDatabase('SIGQUIT') },
      ])
      const payer = openPayer((code) => chainUrl(layout, code))
      const sent = new Map<number, bigint>()
      const both = await Promise.all([
        payInWaves({
          counter: shop.counter,
          payer,
          random,
          payments: PAYMENTS,
          whilePaying: (work) => lock(() => work().then(writeChains)),
        }),
        payOnRequest({ shop, url: slot.url, random, sent }, ROUNDS),
      ])
      const orders = both.flat()
      const struck = await chaos.over
      console.log(`Struck ${struck.length} times: ${struck.join(', ')}.`)
      await expectRight(shop.counter, orders)
      const delivered = await expectDelivered(shop, receiver)
      console.log(`${orders.length} payments, ${delivered} events in ${receiver.requests()} requests.`)
      await expectBalances(shop, new Map([...payer.sent, ...sent]))
      await expectBooks(shop.operator)
    },
    WITHIN_MS,
  )
})
