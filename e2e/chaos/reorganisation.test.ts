/** A real node that replaces its newest blocks, under open, confirming and settled payments; and deeper than is followed. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

import { alarmsRoutes } from '@kassa/contract/alarms/routes.ts'
import { blockchainsRoutes } from '@kassa/contract/blockchains/routes.ts'
import { ledgerRoutes } from '@kassa/contract/ledger/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { callNode } from '../../apps/server/src/sandbox/node-call.ts'
import { clearLayout, newLayout, type Layout } from '../instance.ts'
import { until } from '../until.ts'
import { expectRight, expectDelivered, expectBooks } from './audit.ts'
import { seedRandom } from './random.ts'
import { type Order, placeOrder, readOrder, transfersOf } from './orders.ts'
import { openPayer, type Payer } from './payer.ts'
import { byReference, type EventReceiver, startEventReceiver } from './receiver.ts'
import { chainUrl, type Slot, takeSlot } from './slot.ts'
import { type ChaosShop, openChaosShop } from './shop.ts'

const USDC_ON_BASE = 8
/** The deepest that is followed (money.md 2.3). */
const LIMIT = 64
/** Blocks that the chain mines while a payment is awaited. */
const SLACK = 6

const random = seedRandom('reorganisations')
let layout: Layout
let slot: Slot
let shop: ChaosShop
let receiver: EventReceiver
let payer: Payer

beforeAll(async () => {
  layout = await newLayout()
  slot = takeSlot({ name: 'server', layout })
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

const node = <T>(method: string, ...params: unknown[]) => callNode<T>(chainUrl(layout, 'BASE'), method, ...params)
const head = async () => Number(await node<string>('eth_blockNumber'))
const mine = (blocks: number) => node('anvil_mine', `0x${blocks.toString(16)}`)
const order = () => placeOrder(shop.counter, random, { kind: 'exact', assetId: USDC_ON_BASE })
const typesOf = (one: Order) => (byReference(receiver.heard).get(one.reference) ?? []).map(({ type }) => type)

/** Pays and gives the height of the block that holds it. */
async function pay(one: Order): Promise<number> {
  const [hash] = await payer.send('BASE', transfersOf(one).now)
  const { blockNumber } = await node<{ blockNumber: string }>('eth_getTransactionReceipt', hash)
  return Number(blockNumber)
}

/** Replaces the newest blocks by as many empty ones, while nothing watches or mines; `depthAt` says how many. */
async function replaceNewest(depthAt: (head: number) => number): Promise<number> {
  process.kill(slot.pid(), 'SIGSTOP')
  try {
    const depth = depthAt(await head())
    if (depth > 0) await node('anvil_reorg', depth, [])
    return depth
  } finally {
    process.kill(slot.pid(), 'SIGCONT')
  }
}

const base = async () => (await shop.operator(blockchainsRoutes.listBlockchains)).find(({ code }) => code === 'BASE')

/** Waits until the program has read every block there is. */
async function allRead(): Promise<void> {
  await until(
    'every block to be read',
    async () => (await head()) - ((await base())?.height ?? 0),
    (lag) => lag === 0,
  )
}

/** What the books say is the shop's own, in dollars. */
async function booked(): Promise<string> {
  const balances = await shop.operator(ledgerRoutes.listBalances, { params: { p: shop.project } })
  const own = balances.find(
    ({ account, blockchainCode, currencyCode }) =>
      account === 'project:balance' && blockchainCode === 'BASE' && currencyCode === 'USDC',
  )
  return own?.balance ?? '0'
}

function becomes(one: Order, state: string, deposits: number): Promise<unknown> {
  return until(
    `${one.reference} to be ${state} with ${deposits} deposits`,
    () => readOrder(shop.counter, one.reference),
    (payment) => payment.paymentState === state && payment.deposits.length === deposits,
  )
}

describe('a reorganisation of a real node', () => {
  it.each([2, 8, 33, LIMIT])(
    'of depth %i takes back what is settled and what is not, and settles it again',
    async (depth) => {
      // What others paid lies deeper than anything that is replaced here.
      await mine(LIMIT)
      await allRead()
      const before = await booked()
      const [open, settled, confirming] = [await order(), await order(), await order()]
      const from = await pay(settled)
      await becomes(settled, 'FILLED', 1)
      expect(await booked()).not.toBe(before)
      const paid = [settled]
      if (depth > SLACK) {
        await mine(Math.max(1, from + depth - 1 - SLACK - (await head())))
        await allRead()
        await pay(confirming)
        await becomes(confirming, 'OPEN', 1)
        paid.push(confirming)
      }
      const replaced = await replaceNewest((at) => Math.max(depth, at - from + 1))
      expect(replaced).toBeLessThanOrEqual(LIMIT)
      await becomes(settled, 'OPEN', 0)
      await becomes(confirming, 'OPEN', 0)
      await until(
        'the shop to be notified',
        () => typesOf(settled),
        (types) => types.includes('payment.reopened'),
      )
      expect(await booked()).toBe(before)
      // Sent from the same place in the payer's order as before: the same transaction, in another block.
      for (const one of paid) await pay(one)
      await expectRight(shop.counter, paid)
      await becomes(open, 'OPEN', 0)
      expect(typesOf(confirming)).not.toContain('payment.reopened')
      console.log(`Replaced ${replaced} blocks.`)
    },
  )

  it('of depth 1 takes back what was only seen', async () => {
    for (let replaced = 0; replaced === 0;) {
      const confirming = await order()
      const height = await pay(confirming)
      await becomes(confirming, 'OPEN', 1)
      // A block that was mined since hides it from a reorganisation of one block: then the next customer is tried.
      replaced = await replaceNewest((at) => (at === height ? 1 : 0))
      if (replaced > 0) await becomes(confirming, 'OPEN', 0)
      if (replaced > 0) await pay(confirming)
      await expectRight(shop.counter, [confirming])
    }
  })
})

describe('a reorganisation deeper than is followed', () => {
  const alarms = async () => (await shop.operator(alarmsRoutes.listAlarms)).map(({ kind }) => kind)

  it('halts the chain with an alarm, touches nothing, and goes on when a person says from where', async () => {
    const settled = await order()
    const height = await pay(settled)
    await becomes(settled, 'FILLED', 1)
    await mine(LIMIT)
    await allRead()
    await replaceNewest((at) => at - height + 1)
    await until('a halt', alarms, (kinds) => kinds.includes('chain_halted'))
    expect((await base())?.reason).toContain('replaced more than 64 blocks')
    await becomes(settled, 'FILLED', 1)

    const command = join(import.meta.dirname, '../../apps/server/src/commands/resume-chain.ts')
    const said = execFileSync(process.execPath, [command, '--chain', 'BASE', '--to', String(height - 1)], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, KASSA_HOME: layout.home },
      encoding: 'utf8',
    })
    expect(said).toContain(`BASE goes back to block ${height - 1}`)
    await becomes(settled, 'OPEN', 0)
    await pay(settled)
    await expectRight(shop.counter, [settled])
    await until('the alarm to be cleared', alarms, (kinds) => !kinds.includes('chain_halted'))
  })

  it('leaves every event delivered in its order, and the books as the chain', async () => {
    await expectDelivered(shop, receiver)
    await expectBooks(shop.operator)
  })
})
