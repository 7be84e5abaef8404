/** Nodes in every kind of trouble in front of a real chain: payments go on with the other node, or wait and say why. */
import { setTimeout as pause } from 'node:timers/promises'

import { startTroubledNode, type Trouble, type TroubledNode } from '@kassa/chains/testing/troubled-node.ts'
import { nodesRoutes } from '@kassa/contract/blockchains/node-routes.ts'
import { blockchainsRoutes } from '@kassa/contract/blockchains/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { callNode } from '../../apps/server/src/sandbox/node-call.ts'
import { clearPlot, newPlot, type Plot } from '../house.ts'
import { until } from '../until.ts'
import { expectRight, expectTold, expectBooks } from './audit.ts'
import { throwDice } from './dice.ts'
import { type Order, placeOrder, transfersOf } from './orders.ts'
import { openPayer, type Payer } from './payer.ts'
import { type EventReceiver, startEventReceiver } from './receiver.ts'
import { chainUrl, type Seat, takeSeat } from './seat.ts'
import { type FireShop, openFireShop } from './shop.ts'

const USDC_ON_BASE = 8
/** The reader asks four times a second. */
const LISTEN_MS = 700
/** Of another network than the sandbox's BASE. */
const STRANGE_CHAIN = 1

const dice = throwDice('nodes in trouble')
const orders: Order[] = []
let plot: Plot
let seat: Seat
let shop: FireShop
let receiver: EventReceiver
let payer: Payer
/** One more than there are cases: a node that was in trouble rests for a while, and another one is used. */
let nodes: TroubledNode[] = []

beforeAll(async () => {
  plot = await newPlot()
  seat = takeSeat({ name: 'server', plot })
  ;[receiver] = await Promise.all([startEventReceiver(), seat.start()])
  shop = await openFireShop([seat.url], receiver)
  payer = openPayer((code) => chainUrl(plot, code))
  const upstream = chainUrl(plot, 'BASE')
  nodes = await Promise.all([...CASES, 'spare'].map(() => startTroubledNode(upstream)))
  const params = { x: 'BASE' }
  const [own] = await shop.operator(nodesRoutes.listNodes, { params })
  for (const { url } of nodes) await shop.operator(nodesRoutes.addNode, { params, body: { url } })
  if (own) await shop.operator(nodesRoutes.changeNode, { params: { ...params, id: own.id }, body: { isActive: false } })
})

afterAll(async () => {
  await seat?.stop()
  await seat?.killEverything()
  await Promise.all([...nodes.map((node) => node.stop()), receiver?.close()])
  clearPlot(plot)
})

async function order(): Promise<Order> {
  const made = await placeOrder(shop.counter, dice, { kind: 'exact', assetId: USDC_ON_BASE })
  orders.push(made)
  return made
}

async function paid(): Promise<Order> {
  const made = await order()
  await payer.send('BASE', transfersOf(made).now)
  // The chain grows, as others pay others: one that stands still hides a node that does.
  await callNode(chainUrl(plot, 'BASE'), 'anvil_mine', '0x5')
  return made
}

const base = async () => (await shop.operator(blockchainsRoutes.listBlockchains)).find(({ code }) => code === 'BASE')
const height = async () => (await base())?.height ?? 0

type Case = readonly [name: string, trouble: () => Promise<Trouble>]

const CASES: readonly Case[] = [
  ['answers 429', async () => ({ kind: 'busy', retryAfter: '5' })],
  ['answers 502', async () => ({ kind: 'broken', status: 502 })],
  ['answers garbage', async () => ({ kind: 'garbage' })],
  ['closes every connection', async () => ({ kind: 'gone' })],
  ['stands still', async () => ({ kind: 'stale', height: await height() })],
  ['gives the receipts of another block', async () => ({ kind: 'other-receipts' })],
  ['serves another network', async () => ({ kind: 'other-network', chainId: STRANGE_CHAIN })],
  ['is on a branch of its own', async () => ({ kind: 'forked', from: (await height()) + 1 })],
  ['accepts every call and never answers', async () => ({ kind: 'hangs' })],
]

/** The node that is asked just now. */
async function inUse(): Promise<TroubledNode> {
  const before = nodes.map(({ asked }) => asked.length)
  await pause(LISTEN_MS)
  const calls = nodes.map(({ asked }, at) => asked.length - (before[at] ?? 0))
  const busiest = nodes[calls.indexOf(Math.max(...calls))]
  if (busiest === undefined) throw new Error('There is no node')
  return busiest
}

describe('the node in use', () => {
  it.each(CASES)('%s: payments go on with another one', async (_name, trouble) => {
    const node = await inUse()
    const asked = node.asked.length
    node.trouble(await trouble())
    const begun = performance.now()
    const made = await paid()
    await expectRight(shop.counter, [made])
    console.log(`Settled after ${Math.round(performance.now() - begun)} ms.`)
    expect(node.asked.length).toBeGreaterThan(asked)
    node.trouble(null)
  })
})

describe('every node in trouble', () => {
  it('lets payments wait, says why, and takes them in when a node is back', async () => {
    const [waiting, looking] = [await order(), await order()]
    for (const node of nodes) node.trouble({ kind: 'broken', status: 503 })
    await payer.send('BASE', transfersOf(waiting).now)
    const shown = await until('the reason to be shown', base, (one) => one?.reason !== null, 60_000)
    expect(shown?.reason).toContain('503')
    const options = await shop.counter.crowd(paymentsRoutes.listPaymentOptions, { params: { ref: looking.reference } })
    const [usdc] = options.filter(({ blockchainCode, ready }) => blockchainCode === 'BASE' && !ready)
    // Which node failed how is for operators.
    expect(usdc?.reason).toContain('are not noticed right now')
    for (const node of nodes) node.trouble(null)
    await payer.send('BASE', transfersOf(looking).now)
    await expectRight(shop.counter, [waiting, looking])
  })

  it('leaves every payment right, every event told in its order, and the books as the chain', async () => {
    await expectRight(shop.counter, orders)
    await expectTold(shop, receiver)
    await expectBooks(shop.operator)
  })
})
