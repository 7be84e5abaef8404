/** The disk of the whole program is full while payments come in, and gets room again. */
import { systemRoutes } from '@kassa/contract/system/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { apiOf, Refused } from '../api.ts'
import { clearPlot, newPlot, type Plot } from '../house.ts'
import { until } from '../until.ts'
import { expectRight, expectTold, expectBooks } from './audit.ts'
import { throwDice } from './dice.ts'
import { type Order, placeOrder, transfersOf } from './orders.ts'
import { openPayer, type Payer } from './payer.ts'
import { type EventReceiver, startEventReceiver } from './receiver.ts'
import { chainUrl, type Seat, takeSeat } from './seat.ts'
import { type FireShop, openFireShop } from './shop.ts'
import { canMount, mountSmallDisk, type SmallDisk } from './small-disk.ts'

/** Room for the database's programs, an empty database and its log, and a little more. */
const MEGABYTES = 300

if (!canMount) console.log('Not run on a full disk: mounting a small one needs root on Linux.')

describe.runIf(canMount)('a disk that is full while payments come in', () => {
  const dice = throwDice('disk full')
  const orders: Order[] = []
  let plot: Plot
  let disk: SmallDisk
  let seat: Seat
  let shop: FireShop
  let receiver: EventReceiver
  let payer: Payer

  beforeAll(async () => {
    plot = await newPlot()
    disk = mountSmallDisk(plot.home, MEGABYTES)
    seat = takeSeat({ name: 'server', plot })
    ;[receiver] = await Promise.all([startEventReceiver(), seat.start()])
    shop = await openFireShop([seat.url], receiver)
    payer = openPayer((code) => chainUrl(plot, code))
  })

  afterAll(async () => {
    disk?.free()
    await seat?.stop()
    await seat?.killEverything()
    await receiver?.close()
    disk?.remove()
    clearPlot(plot)
  })

  async function order(): Promise<Order> {
    const made = await placeOrder(shop.counter, dice, { kind: 'exact' })
    orders.push(made)
    return made
  }

  const pay = (one: Order) => payer.send(one.blockchain, transfersOf(one).now)

  const health = () => apiOf(seat.url)(systemRoutes.health)

  /** One call that is not repeated: what it is answered. */
  async function refusal(): Promise<string> {
    const once = { merchant: apiOf(seat.url, shop.apiKey), crowd: shop.counter.crowd }
    return placeOrder(once, dice, { kind: 'exact' }).then(
      (made) => {
        orders.push(made)
        return payer.send(made.blockchain, transfersOf(made).now).then(() => '')
      },
      (error: unknown) => (error instanceof Refused ? error.message : String(error)),
    )
  }

  it('refuses new payments with 503, says why in /health, and stays alive', async () => {
    for (let at = 0; at < 5; at += 1) await pay(await order())
    await expectRight(shop.counter, orders)
    const waiting = await order()
    disk.fill()
    const text = await until('a payment to be refused', refusal, (answer) => answer !== '', 60_000)
    expect(text).toContain(' 503: ')
    expect(text).toContain('SERVICE_UNAVAILABLE')
    const told = await until('/health to say so', health, ({ status }) => status === 'error', 30_000)
    console.log(text, JSON.stringify(told))
    expect(told.reason).toContain('disk of the database is full')
    // Paid on the chain although nothing can be recorded: it is found when there is room.
    await pay(waiting)
    expect(seat.isUp()).toBe(true)
  })

  it('goes on by itself when there is room, and has lost nothing', async () => {
    disk.free()
    await until('/health to be well', health, ({ status }) => status === 'ok')
    for (let at = 0; at < 5; at += 1) await pay(await order())
    await expectRight(shop.counter, orders)
    await expectTold(shop, receiver)
    await expectBooks(shop.operator)
    expect(seat.isUp()).toBe(true)
  })
})
