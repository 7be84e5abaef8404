/** Payments that are on their way to the screen, that do not arrive, or that are larger than usual. */
import type { Page } from 'playwright-core'

import { API, HELD, REFUSED, refusal } from '../answers.ts'
import { inSet, type Screen } from '../camera.ts'
import { fill, press } from '../hand.ts'
import type { Seed } from '../seed.ts'

const P = `${API}/external-platform/*`
const SEARCH = `POST ${P}/payment/search`
const CREATE = `POST ${P}/payment`
const START = `POST ${P}/bulk-job`

export function paymentTroubles(seed: Seed): readonly Screen[] {
  const home = `/project/${seed.shop.project}/payments`
  return [
    ...listTroubles(`${home}/allPayments`),
    ...drawerTroubles(seed),
    ...createTroubles(`${home}/createPaymentLink`),
  ]
}

function listTroubles(path: string): readonly Screen[] {
  return [
    ...inSet('A', [
      {
        name: 'all-payments-waiting',
        path,
        shows: 'All payments',
        alters: { [SEARCH]: HELD, [`${P}/payment/summary*`]: HELD },
      },
      { name: 'all-payments-failed', path, shows: 'All payments couldn’t be loaded', alters: { [SEARCH]: REFUSED } },
      { name: 'all-payments-large', path: `${path}?amount=1000000..`, shows: '$1,234,567.89' },
    ]),
    {
      name: 'unmatched-waiting',
      path: `${path}?view=unmatched`,
      shows: 'All payments',
      alters: { [`${P}/missed-deposit*`]: HELD },
    },
    {
      name: 'unmatched-failed',
      path: `${path}?view=unmatched`,
      shows: 'Unmatched deposits couldn’t be loaded',
      alters: { [`${P}/missed-deposit*`]: REFUSED },
    },
  ]
}

function drawerTroubles({ shop: { project }, states }: Seed): readonly Screen[] {
  const list = `/project/${project}/payments/allPayments`
  const payment = `${P}/payment/${states.paid}`
  const drawer = { path: `${list}?open=${states.paid}`, isOverlay: true }
  return [
    { ...drawer, name: 'drawer-waiting', shows: /^Payment …?/, alters: { [payment]: HELD } },
    { ...drawer, name: 'drawer-failed', shows: 'Payment couldn’t be loaded', alters: { [payment]: REFUSED } },
    {
      ...drawer,
      name: 'drawer-unknown',
      shows: /no payment with this reference/,
      alters: { [payment]: refusal(404, 'PAYMENT_NOT_FOUND', 'There is no such payment.') },
    },
    // All tabs come in one answer; only the names of endpoints are asked for besides.
    {
      ...drawer,
      name: 'drawer-webhooks-nameless',
      path: `${drawer.path}&panel=webhooks`,
      shows: 'Received',
      alters: { [`${P}/webhook`]: REFUSED },
    },
    {
      name: 'payment-page-waiting',
      path: `${list}/${states.paid}`,
      shows: 'Payments',
      alters: { [payment]: HELD },
    },
  ]
}

function createTroubles(path: string): readonly Screen[] {
  let made = 0
  const create = async (page: Page) => {
    await fill(page, 'Amount in USD', '49')
    // A customer of each window: with the link of the one before open, none is made unasked.
    made += 1
    await fill(page, 'Customer e-mail', `uncopied-${made}@mail.example`)
    await press(page, 'Create link')
  }
  return inSet('A', [
    { name: 'create-link-waiting', path, shows: 'Create link', alters: { [CREATE]: HELD }, act: create },
    {
      name: 'create-link-refused',
      path,
      shows: /No trustworthy price/,
      alters: { [CREATE]: refusal(503, 'RATE_UNAVAILABLE', 'No trustworthy price right now. Try again shortly.') },
      act: create,
    },
    {
      name: 'create-link-not-copied',
      path,
      shows: 'Failed to copy payment link',
      act: async (page) => {
        await page.evaluate(`for (const way of ['write', 'writeText'])
          navigator.clipboard[way] = () => Promise.reject(new Error('The browser refused'))`)
        await create(page)
      },
    },
    {
      name: 'bulk-running',
      path: `${path}?tabId=bulk`,
      shows: 'Pause',
      alters: { [START]: HELD },
      act: async (page) => {
        await page.getByLabel('CSV file with one link per line').setInputFiles({
          name: 'december.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from('amountInUSD,customerEmail\n12,one@mail.example\n15,two@mail.example\n'),
        })
        await press(page, /^Create 2 links/)
      },
    },
  ])
}
