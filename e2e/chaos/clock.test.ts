/** The clock of the program moves a day ahead, back, and a day behind, while the chains and the database keep the time. */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { depositsRoutes } from '@kassa/contract/deposits/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { clearLayout, newLayout, type Layout } from '../instance.ts'
import type { PublicPayment } from '../shop.ts'
import { until } from '../until.ts'
import { expectRight, expectDelivered, expectBooks } from './audit.ts'
import { seedRandom } from './random.ts'
import { type Order, placeOrder, readOrder, transfersOf } from './orders.ts'
import { openPayer, type Payer } from './payer.ts'
import { byReference, type EventReceiver, startEventReceiver } from './receiver.ts'
import { chainUrl, type Slot, takeSlot } from './slot.ts'
import { type ChaosShop, openChaosShop } from './shop.ts'

const DAY_MS = 86_400_000
const ETHER = 1
const USDC_ON_BASE = 8

const random = seedRandom('clock')
let layout: Layout
let clockFile: string
let slot: Slot
let shop: ChaosShop
let receiver: EventReceiver
let payer: Payer

/** Sets the clock of the program off by so much, and waits until it goes by that. */
async function moveClock(ms: number): Promise<void> {
  writeFileSync(clockFile, String(ms))
  await until(
    'the clock to be moved',
    () => readFileSync(`${clockFile}.seen`, 'utf8'),
    (seen) => seen === String(ms),
  )
}

beforeAll(async () => {
  layout = await newLayout()
  clockFile = join(dirname(layout.home), 'clock')
  writeFileSync(clockFile, '0')
  const preload = pathToFileURL(join(import.meta.dirname, 'moved-clock.mjs')).href
  slot = takeSlot({ name: 'server', layout, settings: { NODE_OPTIONS: `--import ${preload}`, CHAOS_CLOCK: clockFile } })
  ;[receiver] = await Promise.all([startEventReceiver(), slot.start()])
  shop = await openChaosShop([slot.url], receiver)
  payer = openPayer((code) => chainUrl(layout, code))
})

afterAll(async () => {
  await slot?.stop()
  await slot?.killEverything()
  await receiver?.close()
  clearLayout(layout)
})

const order = (kind: Order['kind'] = 'exact', assetId?: number) =>
  placeOrder(shop.counter, random, { kind, ...(assetId !== undefined && { assetId }) })
const pay = (one: Order) => payer.send(one.blockchain, transfersOf(one).now)
const typesOf = (one: Order) => (byReference(receiver.heard).get(one.reference) ?? []).map(({ type }) => type)
const times = (one: Order, type: string) => typesOf(one).filter((each) => each === type).length

function becomes(one: Order, what: string, isSo: (payment: PublicPayment) => boolean): Promise<PublicPayment> {
  return until(`${one.reference} to be ${what}`, () => readOrder(shop.counter, one.reference), isSo)
}

const filled = (one: Order, isLate: boolean) =>
  becomes(one, 'filled', ({ paymentState, late }) => paymentState === 'FILLED' && late === isLate)
const cancelled = (one: Order) => becomes(one, 'cancelled', ({ paymentState }) => paymentState === 'CANCELLED')

const unmatchedTransactions = async () => {
  const page = await shop.operator(depositsRoutes.listMissedDeposits, { query: { limit: 50 } })
  return page.data.map(({ txHash }) => txHash)
}

describe('a clock that is wrong by a day (X4)', () => {
  it('expires once, credits what was paid in time by the time of its block, and goes on when it is right again', async () => {
    const [paid, partly, unpaid, never] = [await order(), await order('under'), await order(), await order()]
    await Promise.all([pay(paid), pay(partly)])
    await expectRight(shop.counter, [paid, partly])

    await moveClock(DAY_MS)
    await Promise.all([cancelled(unpaid), cancelled(never)])
    await pay(unpaid)
    await filled(unpaid, false)
    // Made tomorrow, paid today: money that is older than what it is for stays unmatched, for the customer, and is shown to the shop.
    const ahead = await order()
    const [early] = await pay(ahead)

    await moveClock(0)
    const after = await order()
    await pay(after)
    await expectRight(shop.counter, [paid, partly, unpaid, after])
    await until('the early money to be shown', unmatchedTransactions, (unmatched) => unmatched.includes(early ?? ''))

    await moveClock(-DAY_MS)
    // Made yesterday, paid today: late, within the day of grace; ether counts at the price of its block.
    const [dollars, ether, forgotten] = [await order('exact', USDC_ON_BASE), await order('exact', ETHER), await order()]
    await Promise.all([pay(dollars), pay(ether)])
    await Promise.all([filled(dollars, true), filled(ether, true)])

    await moveClock(0)
    await cancelled(forgotten)
    await pay(forgotten)
    await filled(forgotten, true)
    expect(await unmatchedTransactions()).toEqual([early])
    await expectDelivered(shop, receiver)
    expect([unpaid, never, forgotten].map((one) => times(one, 'payment.cancelled'))).toEqual([1, 1, 1])
    expect([paid, unpaid, after, dollars, ether, forgotten].map((one) => times(one, 'payment.filled'))).toEqual([
      1, 1, 1, 1, 1, 1,
    ])
    expect(times(partly, 'payment.expired_partial')).toBeLessThanOrEqual(1)
    await expectBooks(shop.operator)
  })
})
