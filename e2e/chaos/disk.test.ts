/** The disk of the whole program is full while payments come in, and gets room again. */
import { systemRoutes } from '@kassa/contract/system/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { apiOf, Refused } from '../api.ts'
import { clearLayout, newLayout, type Layout } from '../instance.ts'
import { until } from '../until.ts'
import { expectRight, expectDelivered, expectBooks } from './audit.ts'
import { seedRandom } from './random.ts'
import { type Order, placeOrder, transfersOf } from './orders.ts'
import { openPayer, type Payer } from './payer.ts'
import { type EventReceiver, startEventReceiver } from './receiver.ts'
import { chainUrl, type Slot, takeSlot } from './slot.ts'
import { type ChaosShop, openChaosShop } from './shop.ts'
import { canMount, mountSmallDisk, type SmallDisk } from './small-disk.ts'

/** Room for the database's programs, an empty database and its log, and a little more. */
const MEGABYTES = 300

if (!canMount) console.log('Not run on a full disk: mounting a small one needs root on Linux.')

describe.runIf(canMount)('a disk that is full while payments come in', () => {
  const random = seedRandom('disk full')
  const orders: Order[] = []
  let layout: Layout
  let disk: SmallDisk
  let slot: Slot
  let shop: ChaosShop
  let receiver: EventReceiver
  let payer: Payer

  beforeAll(async () => {
    layout = await newLayout()
    disk = mountSmallDisk(layout.home, MEGABYTES)
    slot = takeSlot({ name: 'server', layout })
    ;[receiver] = await Promise.all([startEventReceiver(), slot.start()])
    shop = await openChaosShop([slot.url], receiver)
    payer = openPayer((code) => chainUrl(layout, code))
  })

  afterAll(async () => {
    disk?.free()
    await slot?.stop()
    await slot?.killEverything()
    await receiver?.close()
    disk?.remove()
    clearLayout(layout)
  })

  async function order(): Promise<Order> {
    const made = await placeOrder(shop.counter, random, { kind: 'exact' })
    orders.push(made)
    return made
  }

  const pay = (one: Order) => payer.send(one.blockchain, transfersOf(one).now)

  const health = () => apiOf(slot.url)(systemRoutes.health)

  /** One call that is not repeated: what it is answered. */
  async function refusal(): Promise<string> {
    const once = { merchant: apiOf(slot.url, shop.apiKey), crowd: shop.counter.crowd }
    return placeOrder(once, random, { kind: 'exact' }).then(
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
    const report = await until('/health to say so', health, ({ status }) => status === 'error', 30_000)
    console.log(text, JSON.stringify(report))
    expect(report.reason).toContain('disk of the database is full')
    // Paid on the chain although nothing can be recorded: it is found when there is room.
    await pay(waiting)
    expect(slot.isUp()).toBe(true)
  })

  it('recovers when there is room, and has lost nothing', async () => {
    disk.free()
    await until('/health to be well', health, ({ status }) => status === 'ok')
    for (let at = 0; at < 5; at += 1) await pay(await order())
    await expectRight(shop.counter, orders)
    await expectDelivered(shop, receiver)
    await expectBooks(shop.operator)
    expect(slot.isUp()).toBe(true)
  })
})
