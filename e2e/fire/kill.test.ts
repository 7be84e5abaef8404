/** One process that does everything, killed at random moments while hundreds of customers pay. */
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import { afterAll, beforeAll, describe, it } from 'vitest'

import { clearPlot, newPlot, type Plot } from '../house.ts'
import { expectBalances, expectBooks, expectRight, expectTold } from './audit.ts'
import { type Chaos, createLock, killing, unleash } from './chaos.ts'
import { throwDice } from './dice.ts'
import { openPayer } from './payer.ts'
import { type EventReceiver, startEventReceiver } from './receiver.ts'
import { chainUrl, databaseProcess, type Seat, takeSeat } from './seat.ts'
import { type FireShop, openFireShop } from './shop.ts'
import { payInWaves } from './storm.ts'

const PAYMENTS = 500
const STRIKES = 12

/** A minute and a half on a quiet machine of two cores. */
const WITHIN_MS = 400_000

let plot: Plot
let seat: Seat
let shop: FireShop
let receiver: EventReceiver
let chaos: Chaos | undefined

beforeAll(async () => {
  plot = await newPlot()
  seat = takeSeat({ name: 'server', plot })
  ;[receiver] = await Promise.all([startEventReceiver(), seat.start()])
  shop = await openFireShop([seat.url], receiver)
})

afterAll(async () => {
  await chaos?.stop()
  await seat?.stop()
  await seat?.killEverything()
  await receiver?.close()
  clearPlot(plot)
})

/** Asks the program to write the chains to disk: what was paid straight at a node survives the end of that node too. */
async function writeChains(): Promise<void> {
  for (const b of ['ETH', 'BASE']) await shop.operator(sandboxRoutes.mineBlocks, { params: { b }, body: { blocks: 1 } })
}

/** A signal to the database's first process, as somebody else or the system would send it; the house starts it again. */
function strikeDatabase(signal: 'SIGKILL' | 'SIGQUIT'): void {
  const pid = databaseProcess(plot.home)
  if (pid !== undefined) process.kill(pid, signal)
}

describe('kill -9 at random moments of 500 payments', () => {
  it(
    'ends with every payment right, every event told in order, and the books as the chains',
    async () => {
      const dice = throwDice('kill -9, one process')
      const lock = createLock()
      const server = killing(seat, dice)
      chaos = unleash(dice, STRIKES, [
        server,
        server,
        {
          name: 'everything',
          // What customers paid is on disk, or not sent yet: a chain that lost their transfers would owe them nothing.
          run: () =>
            lock(async () => {
              await seat.killEverything()
              await seat.start()
            }),
        },
        // A database that is killed; and one that is stopped with `pg_ctl -m immediate`, which sends SIGQUIT.
        { name: 'database', run: async () => strikeDatabase('SIGKILL') },
        { name: 'database, immediate', run: async () => strikeDatabase('SIGQUIT') },
      ])
      const payer = openPayer((code) => chainUrl(plot, code))
      const orders = await payInWaves({
        counter: shop.counter,
        payer,
        dice,
        payments: PAYMENTS,
        whilePaying: (work) => lock(() => work().then(writeChains)),
      })
      const struck = await chaos.over
      console.log(`Struck ${struck.length} times: ${struck.join(', ')}.`)
      await expectRight(shop.counter, orders)
      const told = await expectTold(shop, receiver)
      console.log(`${orders.length} payments, ${told} events in ${receiver.requests()} requests.`)
      await expectBalances(shop, payer.sent)
      await expectBooks(shop.operator)
    },
    WITHIN_MS,
  )
})
