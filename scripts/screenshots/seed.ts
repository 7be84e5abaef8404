/** A shop with a past: payments in every state, keys and webhooks, so that every screen has something to show. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'

import { type Receiver, startReceiver } from '../../apps/server/src/testing/receiver.ts'
import { until } from '../../e2e/until.ts'
import { addShop, newPayment, pay, paymentThat, readPayment, settled, type Shop } from '../../e2e/shop.ts'

import { type Programme, seedProgramme } from './growth/programme.ts'

/** Longer than the server takes for a poll of the chain. */
const STILL_MS = 2_000

const USDC = { blockchainCode: 'BASE', currencyCode: 'USDC' } as const

/** References by the state their payment is in. */
export type States = {
  readonly choose: string
  readonly waiting: string
  readonly paid: string
  readonly partly: string
  readonly partlyLapsed: string
  readonly overpaid: string
  readonly late: string
  readonly expired: string
  readonly superseded: string
  readonly cancelled: string
  readonly reverted: string
  /** Paid after the grace: unmatched, for its customer. */
  readonly unmatched: string
}

export type Seed = {
  readonly shop: Shop
  readonly states: States
  /** The transaction of the unmatched deposit. */
  readonly unmatchedHash: string
  readonly receiver: Receiver
  readonly programme: Programme
}

const NAMES = ['ann', 'bela', 'chidi', 'dora', 'emre', 'farah', 'gus', 'hana', 'ines', 'jun', 'kofi', 'lena', 'mila']
/** Seven digits before the point, and a customer whose name is as long as theirs get. */
const LARGE = [
  ['1234567.89', 'noor'],
  ['9876543.21', 'wilhelmina-von-und-zu-hohenlohe-schillingsfuerst'],
] as const
const AMOUNTS = ['49', '12.5', '249', '1200', '7.99', '18', '99', '4500.25', '64.4', '31', '150', '820', '5.5']

/** Fills a server that has its first account and nothing else. */
export async function seedShop(url: string, session: string): Promise<Seed> {
  const shop = await addShop(url, session, 'Acme Coffee')
  await shop.operator(projectsRoutes.changeProject, {
    params: { p: shop.project },
    body: {
      brandColor: '#4b7d87',
      website: 'https://acme.example',
      successEndpoint: 'https://acme.example/thanks',
      cancelEndpoint: 'https://acme.example/cart',
      supportEmail: 'help@acme.example',
    },
  })
  await shop.operator(projectsRoutes.createProject, { body: { name: 'Nordlicht Records' } })
  const receiver = await startReceiver()
  await shop.operator(webhooksRoutes.createWebhook, { params: { p: shop.project }, body: { url: receiver.url } })
  await seedPast(shop)
  const states = await seedStates(shop)
  // From now on the endpoint is down: a payment whose message waits for its next try.
  receiver.answerWith({ status: 503, body: 'Service unavailable' })
  await paidBy(shop, 'nadia', 'exact')
  const programme = await seedProgramme(shop)
  return { shop, states, unmatchedHash: await hashOf(shop, states.unmatched), receiver, programme }
}

/**
 * A payment whose transfer is seen and not final and stays so: its chain's node is stopped in between two blocks. `go` lets
 * the chain, and the payment, go on.
 */
export async function holdConfirming({ shop }: Seed, home: string): Promise<{ reference: string; go: () => void }> {
  const node = Number.parseInt(readFileSync(join(home, 'chains/ETH.pid'), 'utf8'), 10)
  const go = () => void process.kill(node, 'SIGCONT')
  for (let attempt = 1; attempt <= 20; attempt += 1) {
    const reference = await newPayment(shop, '320', { customerID: `oskar-${attempt}` })
    await pay(shop, reference, 'exact', { blockchainCode: 'ETH', currencyCode: 'ETH' })
    await paymentThat(shop, reference, 'seen', ({ fundingState }) => fundingState !== 'none')
    process.kill(node, 'SIGSTOP')
    // What the server had read of the chain by then still makes it final.
    await setTimeout(STILL_MS)
    const { paymentState } = await readPayment(shop, reference)
    if (paymentState === 'OPEN') return { reference, go }
    go()
  }
  throw new Error('Every payment was final before its chain could be held.')
}

async function seedPast(shop: Shop): Promise<void> {
  for (const [at, name] of NAMES.entries()) {
    const reference = await newPayment(shop, AMOUNTS[at], { customerID: name })
    if (at % 3 === 0) await settleWith(shop, reference, 'exact')
  }
  for (const [amount, customerID] of LARGE) await newPayment(shop, amount, { customerID })
}

async function seedStates(shop: Shop): Promise<States> {
  const reverted = await paidBy(shop, 'pia', 'exact')
  await reorganise(shop, reverted)
  const superseded = await newPayment(shop, '20', { customerID: 'quinn' })
  await newPayment(shop, '25', { customerID: 'quinn' })
  const cancelled = await newPayment(shop, '80', { customerID: 'rosa' })
  await shop.operator(paymentsRoutes.cancelPayment, { params: { p: shop.project, ref: cancelled } })
  const partlyLapsed = await partlyPaid(shop, 'sven')
  await lapse(shop, partlyLapsed)
  const expired = await newPayment(shop, '15', { customerID: 'tara' })
  await lapse(shop, expired)
  const waiting = await newPayment(shop, '49', { customerID: 'uma' })
  await shop.operator(paymentsRoutes.pinPayment, {
    params: { ref: waiting },
    body: { blockchain_code: USDC.blockchainCode, currency_code: USDC.currencyCode },
  })
  return {
    // Open for as long as pictures are taken.
    choose: await newPayment(shop, '49', { customerID: 'viktor', expiresInMinutes: 240 }),
    waiting,
    paid: await paidBy(shop, 'wren', 'exact'),
    partly: await partlyPaid(shop, 'xenia'),
    partlyLapsed,
    overpaid: await claimed(shop, await paidBy(shop, 'yann', 'over')),
    late: await paidBy(shop, 'zoe', 'late'),
    expired,
    superseded,
    cancelled,
    reverted,
    unmatched: await unmatchedFor(shop, 'ada'),
  }
}

async function paidBy(shop: Shop, customerID: string, payCase: 'exact' | 'over' | 'late'): Promise<string> {
  const reference = await newPayment(shop, '49', { customerID })
  await settleWith(shop, reference, payCase)
  return reference
}

/** The payer has named where the surplus should return to. */
async function claimed(shop: Shop, ref: string): Promise<string> {
  const body = { blockchainCode: USDC.blockchainCode, address: '0x2222222222222222222222222222222222222222' }
  await shop.operator(paymentRepairRoutes.claimRefund, { params: { ref }, body })
  return ref
}

async function settleWith(shop: Shop, reference: string, payCase: 'exact' | 'over' | 'late'): Promise<void> {
  await pay(shop, reference, payCase, USDC)
  await settled(shop, reference, payCase === 'over' ? 'OVER_FILLED' : 'FILLED')
}

async function partlyPaid(shop: Shop, customerID: string): Promise<string> {
  const reference = await newPayment(shop, '49', { customerID })
  await pay(shop, reference, 'under', USDC)
  await settled(shop, reference, 'PARTIALLY_FILLED')
  return reference
}

async function unmatchedFor(shop: Shop, customerID: string): Promise<string> {
  const reference = await newPayment(shop, '49', { customerID })
  await graceOf(shop, 0)
  await pay(shop, reference, 'late', USDC)
  const read = () => shop.operator(paymentsRoutes.getPayment, { params: { p: shop.project, ref: reference } })
  await until(`an unmatched deposit of ${customerID}`, read, ({ transfers: [money] }) => money?.status === 'unapplied')
  await graceOf(shop, 24)
  return reference
}

async function hashOf(shop: Shop, reference: string): Promise<string> {
  const { transfers } = await shop.operator(paymentsRoutes.getPayment, { params: { p: shop.project, ref: reference } })
  return transfers[0]?.txHash ?? ''
}

async function graceOf(shop: Shop, lateGraceHours: number): Promise<void> {
  await shop.operator(projectsRoutes.changePaymentPolicy, { params: { p: shop.project }, body: { lateGraceHours } })
}

/** Ends the payment's time; what is sent along is too little to count. */
async function lapse(shop: Shop, reference: string): Promise<void> {
  await pay(shop, reference, 'late', { ...USDC, amount: '0.000001' })
}

async function reorganise(shop: Shop, reference: string): Promise<void> {
  const { transfers } = await shop.operator(paymentsRoutes.getPayment, { params: { p: shop.project, ref: reference } })
  const { chains } = await shop.operator(sandboxRoutes.getSandbox)
  const height = chains.find(({ code }) => code === USDC.blockchainCode)?.height ?? 0
  await shop.operator(sandboxRoutes.reorganise, {
    params: { b: USDC.blockchainCode },
    body: { depth: height - (transfers[0]?.blockNumber ?? height) + 1 },
  })
  await shop.operator(sandboxRoutes.mineBlocks, { params: { b: USDC.blockchainCode }, body: { blocks: 1 } })
  await paymentThat(shop, reference, 'open again', ({ paymentState }) => paymentState === 'OPEN')
}
