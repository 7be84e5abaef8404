/** Nodes in every kind of trouble in front of a real chain: payments go on with the other node, or wait and say why. */
import { startFaultyNode, type Trouble, type FaultyNode } from '@kassa/chains/testing/faulty-node.ts'
import { nodesRoutes } from '@kassa/contract/blockchains/node-routes.ts'
import { blockchainsRoutes } from '@kassa/contract/blockchains/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
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
/** From a thousand on a second node must agree. */
const HIGH_VALUE_USD = 5_000
/** The reader asks a dozen times a second; the monitor of the nodes asks less than this in ten seconds. */
const CALLS_OF_A_READER = 12
const WAITS =
  'Base is not followed right now. Money on its way is found and confirmed as soon as it is again; none is lost.'

const random = seedRandom('nodes in trouble')
const orders: Order[] = []
let layout: Layout
let slot: Slot
let shop: ChaosShop
let receiver: EventReceiver
let payer: Payer
/** One more than there are cases: a node that was in trouble rests for a while, and another one is used. */
let nodes: FaultyNode[] = []

beforeAll(async () => {
  layout = await newLayout()
  slot = takeSlot({ name: 'server', layout })
  ;[receiver] = await Promise.all([startEventReceiver(), slot.start()])
  shop = await openChaosShop([slot.url], receiver)
  payer = openPayer((code) => chainUrl(layout, code))
  const upstream = chainUrl(layout, 'BASE')
  nodes = await Promise.all([...CASES, 'spare'].map(() => startFaultyNode(upstream)))
  const params = { x: 'BASE' }
  const [own] = await shop.operator(nodesRoutes.listNodes, { params })
  for (const { url } of nodes) await shop.operator(nodesRoutes.addNode, { params, body: { url } })
  if (own) await shop.operator(nodesRoutes.changeNode, { params: { ...params, id: own.id }, body: { isActive: false } })
})

afterAll(async () => {
  await slot?.stop()
  await slot?.killEverything()
  await Promise.all([...nodes.map((node) => node.stop()), receiver?.close()])
  clearLayout(layout)
})

async function order(usd?: number): Promise<Order> {
  const made = await placeOrder(shop.counter, random, { kind: 'exact', assetId: USDC_ON_BASE, usd })
  orders.push(made)
  return made
}

async function paid(): Promise<Order> {
  const made = await order()
  await payer.send('BASE', transfersOf(made).now)
  // The chain grows, as others pay others: one that stands still hides a node that does.
  await callNode(chainUrl(layout, 'BASE'), 'anvil_mine', '0x5')
  return made
}

const typesOf = (one: Order) => (byReference(receiver.heard).get(one.reference) ?? []).map(({ type }) => type)
const base = async () => (await shop.operator(blockchainsRoutes.listBlockchains)).find(({ code }) => code === 'BASE')
const height = async () => (await base())?.height ?? 0
const head = async () => Number(await callNode<string>(chainUrl(layout, 'BASE'), 'eth_blockNumber'))
const trouble = (all: Trouble | null) => nodes.forEach((node) => node.trouble(all))

type Case = readonly [name: string, trouble: () => Promise<Trouble>]

const CASES: readonly Case[] = [
  ['answers 429', async () => ({ kind: 'busy', retryAfter: '5' })],
  ['answers 502', async () => ({ kind: 'broken', status: 502 })],
  ['answers garbage', async () => ({ kind: 'garbage' })],
  ['closes every connection', async () => ({ kind: 'gone' })],
  ['stands still', async () => ({ kind: 'stale', height: await height() })],
  ['gives the receipts of another block', async () => ({ kind: 'other-receipts' })],
  ['serves another network', async () => ({ kind: 'elsewhere', url: chainUrl(layout, 'ETH') })],
  ['accepts every call and never answers', async () => ({ kind: 'hangs' })],
]

/** The node that the chain is read from just now. */
async function inUse(): Promise<FaultyNode> {
  const before = nodes.map(({ asked }) => asked.length)
  const asked = () => nodes.find((node, at) => node.asked.length - (before[at] ?? 0) >= CALLS_OF_A_READER)
  const found = await until('a node to be read from', asked, (node) => node !== undefined, 60_000)
  if (found === undefined) throw new Error('There is no node')
  return found
}

describe('the node in use', () => {
  it.each(CASES)('%s: payments go on with another one', async (_name, begin) => {
    const node = await inUse()
    const asked = node.asked.length
    node.trouble(await begin())
    await until(
      'the node to be asked in its trouble',
      () => node.asked.length - asked,
      (calls) => calls > 0,
    )
    const begun = performance.now()
    const made = await paid()
    await expectRight(shop.counter, [made])
    console.log(`Settled after ${Math.round(performance.now() - begun)} ms.`)
    expect(await inUse()).not.toBe(node)
    node.trouble(null)
  })
})

describe('the node in use, on a branch of its own', () => {
  it('finalizes no high-value payment; what it did is reverted, reported, and finalized with another node', async () => {
    const node = await inUse()
    node.trouble({ kind: 'forked', from: (await height()) + 1 })
    const large = await order(HIGH_VALUE_USD)
    await payer.send('BASE', transfersOf(large).now)
    const small = await paid()
    await expectRight(shop.counter, [small])
    const seen = await until(
      'the large payment to wait',
      () => readOrder(shop.counter, large.reference),
      ({ deposits: [deposit] }) => deposit !== undefined && deposit.state !== 'waiting',
    )
    expect(seen.deposits[0]?.state).toBe('on_hold')
    node.trouble({ kind: 'gone' })
    await until(
      'the shop to be notified that the small one is open again',
      () => typesOf(small),
      (types) => types.includes('payment.reopened'),
    )
    await expectRight(shop.counter, [small, large])
    node.trouble(null)
    expect(typesOf(large)).not.toContain('payment.reopened')
  })
})

/** What the page of the payment says to its payer. */
async function pageOf({ reference }: Order): Promise<string> {
  return (await fetch(`${slot.url}/payments?reference_id=${reference}`)).text()
}

describe('every node in trouble', () => {
  it('lets payments wait, says why on each of them, and takes them in when a node is back', async () => {
    const [confirming, sent, looking] = [await order(), await order(), await order()]
    // One block is read after the payment, so that it is seen and stays short of its second confirmation.
    trouble({ kind: 'stale', height: await head() })
    await payer.send('BASE', transfersOf(confirming).now)
    trouble({ kind: 'stale', height: await head() })
    await until(
      'a payment to be seen',
      () => readOrder(shop.counter, confirming.reference),
      ({ deposits }) => deposits.length === 1,
    )
    trouble({ kind: 'broken', status: 503 })
    await payer.send('BASE', transfersOf(sent).now)
    const shown = await until('the reason to be shown', base, (one) => one?.reason !== null, 60_000)
    expect(shown?.reason).toContain('503')
    const options = await shop.counter.crowd(paymentsRoutes.listPaymentOptions, { params: { ref: looking.reference } })
    const [usdc] = options.filter(({ blockchainCode, ready }) => blockchainCode === 'BASE' && !ready)
    // Which node failed how is for operators.
    expect(usdc?.reason).toContain('are not noticed right now')
    for (const one of [confirming, sent, looking]) {
      expect(await readOrder(shop.counter, one.reference)).toMatchObject({ paymentState: 'OPEN', waitsBecause: WAITS })
      expect((await readOrder({ crowd: shop.counter.merchant }, one.reference)).waitsBecause).toContain('503')
    }
    expect(await pageOf(confirming)).toContain(
      'is not followed right now. Money on its way is found and confirmed as soon as it is again',
    )
    expect(await pageOf(looking)).toContain('are not noticed right now. Choose another network, or wait a little.')
    trouble(null)
    await payer.send('BASE', transfersOf(looking).now)
    await expectRight(shop.counter, [confirming, sent, looking])
    expect((await readOrder(shop.counter, sent.reference)).waitsBecause).toBeNull()
  })

  it('leaves every payment right, every event delivered in its order, and the books as the chain', async () => {
    await expectRight(shop.counter, orders)
    await expectDelivered(shop, receiver)
    await expectBooks(shop.operator)
  })
})
