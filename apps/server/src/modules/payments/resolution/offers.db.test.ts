import { authRoutes } from '@kassa/contract/auth/routes.ts'
import type { Offer } from '@kassa/contract/payments/offers.ts'
import { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../../testing/app.ts'
import { ASSET, type Cashier, dollars, openCashier } from '../../../testing/cashier.ts'
import { type FakeChain, fakeChain } from '../../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import { setSandboxPrice } from '../../prices/service.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let app: TestApp
let operator: string
let shop: Shop
let cashier: Cashier
let eth: FakeChain
beforeAll(async () => {
  app = await testApp({ now: new Date('2026-01-31T09:30:00.000Z') })
  operator = await app.signUp()
  shop = await openShop(app, operator)
  cashier = openCashier(app, shop)
  eth = await fakeChain(app.ctx, 1)
})
beforeEach(() => cashier.pass(MINUTE))
afterEach(() => setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: null }))
afterAll(() => app.stop())

const pay = (to: string, amount: number, quarantineReason?: 'NODE_DISAGREEMENT') =>
  eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(amount), ...(quarantineReason && { quarantineReason }) }])
const makeFinal = async () => {
  for (let block = 0; block < 3; block += 1) await eth.mine()
}
const endLink = async () => {
  cashier.pass(2 * HOUR)
  await cashier.expire()
}

/** A deposit of its customer lies beside the payment that it was too much for. */
async function paidWithUnmatched(): Promise<{ ref: string; customerID: string }> {
  const { ref, to, customerID } = await cashier.newPayment()
  await pay(to, 100)
  await makeFinal()
  await pay(to, 40)
  await makeFinal()
  return { ref, customerID }
}

/** Payments as they come about, each with what may be done: an action, or an action and the code that blocks it. */
const SITUATIONS = {
  'nothing came': {
    make: async () => (await cashier.newPayment()).ref,
    offers: ['accept_underpaid: nothing_counts', 'mark_resolved: needs_no_attention', 'extend', 'cancel'],
  },
  'a deposit is not final': {
    make: async () => {
      const { ref, to } = await cashier.newPayment()
      await pay(to, 100)
      return ref
    },
    offers: ['accept_underpaid: not_final', 'mark_resolved: needs_no_attention', 'extend', 'cancel: has_funds'],
  },
  'the rest can still come': {
    make: async () => {
      const { ref, to } = await cashier.newPayment()
      await pay(to, 60)
      await makeFinal()
      return ref
    },
    offers: ['accept_underpaid', 'unassign', 'mark_resolved: still_payable', 'extend', 'cancel: has_funds'],
  },
  'it is short and has ended': {
    make: async () => {
      const { ref, to } = await cashier.newPayment()
      await pay(to, 60)
      await makeFinal()
      await endLink()
      return ref
    },
    offers: ['accept_underpaid', 'unassign', 'mark_resolved', 'extend: has_ended', 'cancel: has_funds'],
  },
  'it is paid and a deposit lies beside it': {
    make: async () => (await paidWithUnmatched()).ref,
    offers: [
      'accept_underpaid: already_paid',
      'unassign',
      'apply_unapplied: paid_takes_no_more',
      'mark_resolved: needs_no_attention',
      'extend: already_paid',
      'cancel: already_paid',
    ],
  },
  'more came than was asked': {
    make: async () => {
      const { ref, to } = await cashier.newPayment()
      await pay(to, 150)
      await makeFinal()
      return ref
    },
    offers: [
      'accept_underpaid: already_paid',
      'unassign',
      'mark_resolved',
      'extend: already_paid',
      'cancel: already_paid',
    ],
  },
  'its deposit is on hold': {
    make: async () => {
      const { ref, to } = await cashier.newPayment()
      await pay(to, 100, 'NODE_DISAGREEMENT')
      await makeFinal()
      return ref
    },
    offers: [
      'accept_underpaid: not_final',
      'release_quarantine',
      'mark_resolved: on_hold',
      'extend',
      'cancel: has_funds',
    ],
  },
  'its deposit came too late': {
    make: async () => {
      const { ref, to } = await cashier.newPayment()
      cashier.pass(25 * HOUR)
      await endLink()
      await pay(to, 100)
      await makeFinal()
      return ref
    },
    offers: [
      'accept_underpaid: nothing_counts',
      'apply_unapplied',
      'mark_resolved',
      'extend: has_ended',
      'cancel: has_ended',
    ],
  },
  'its block was dropped': {
    make: async () => {
      const { ref, to } = await cashier.newPayment()
      const below = eth.height()
      await pay(to, 100)
      await makeFinal()
      await eth.reorg(below)
      return ref
    },
    offers: ['accept_underpaid: nothing_counts', 'mark_resolved', 'extend', 'cancel'],
  },
  'no currency was picked': {
    make: async () => {
      const { customerID } = await paidWithUnmatched()
      const body = { customerID, customerEmail: 'payer@example.com', amountInUSD: '40' }
      return (await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })).body.reference_id
    },
    offers: [
      'accept_underpaid: nothing_counts',
      'apply_unapplied: not_pinned',
      'mark_resolved: needs_no_attention',
      'extend',
      'cancel',
    ],
  },
  'the price of its deposit is not known': {
    make: async () => {
      const { ref, to } = await cashier.newPayment({ amount: '30' })
      await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: 'broken' })
      await eth.mine([{ to, assetId: ASSET.ETH, units: 10n ** 16n }])
      await makeFinal()
      return ref
    },
    offers: [
      'accept_underpaid: nothing_counts',
      'apply_unapplied: no_price_known',
      'mark_resolved: needs_no_attention',
      'extend',
      'cancel',
    ],
  },
} as const

const offersOf = async (ref: string): Promise<readonly Offer[]> =>
  (await app.call(paymentsRoutes.getPayment, { params: { p: shop.p, ref } }, { key: operator })).body.offers

const take = ({ action, depositID }: Offer, ref: string) => {
  const params = { p: shop.p, ref }
  if (action === 'cancel') return app.call(paymentsRoutes.cancelPayment, { params, body: {} }, { key: operator })
  const later = { expiresInMinutes: 24 * 60 }
  if (action === 'extend') return app.call(paymentsRoutes.extendPayment, { params, body: later }, { key: operator })
  const body = { action, depositID, note: 'asked by phone' }
  return app.call(paymentRepairRoutes.resolvePayment, { params, body }, { key: operator })
}

/** Proof of presence runs out with the clock. */
const signIn = async () => {
  const answer = await app.call(authRoutes.signIn, { body: { email: TEST_EMAIL, password: TEST_PASSWORD } })
  operator = answer.body.key
}

/** What the calls that extend or cancel a link answer where their offer is blocked by this. */
const LINK_REFUSALS: Readonly<Record<string, string>> = {
  has_funds: 'PAYMENT_HAS_FUNDS',
  has_ended: 'PAYMENT_NOT_OPEN',
  already_paid: 'PAYMENT_NOT_OPEN',
}

const isOfLink = ({ action }: Offer) => action === 'extend' || action === 'cancel'
const named = ({ action, blockedBy }: Offer) => (blockedBy === null ? action : `${action}: ${blockedBy.code}`)

describe('payments.offers', () => {
  it.each(Object.entries(SITUATIONS))('are, when %s, what the handlers do', async (_when, { make, offers }) => {
    for (const at of offers.keys()) {
      const ref = await make()
      await signIn()
      const offered = await offersOf(ref)
      expect(offered.map(named)).toEqual(offers)
      const offer = offered[at]
      if (offer === undefined) throw new Error('There are fewer offers')
      const { status, refusal } = await take(offer, ref)
      if (offer.blockedBy === null) expect([named(offer), status]).toEqual([offer.action, 200])
      else if (isOfLink(offer)) expect(refusal?.code).toBe(LINK_REFUSALS[offer.blockedBy.code])
      else {
        expect(refusal).toMatchObject({ code: 'RESOLUTION_NOT_POSSIBLE', details: offer.blockedBy.text })
        expect(refusal?.data).toEqual({ blockedBy: offer.blockedBy })
      }
    }
  })
})
