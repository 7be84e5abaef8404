/** Payouts in every state, a new one, approvals, and recipients. */
import {
  WIRE_METRICS,
  wireBalance,
  wirePayout,
  wirePayoutDetail,
  wirePayouts,
  wireQuote,
  wireRecipients,
} from '../../../apps/dashboard/src/testing/payout-answers.ts'
import type { Page } from 'playwright-core'

import { API, type Changes, HELD, REFUSED, refusal } from '../answers.ts'
import { inSet, type Screen } from '../camera.ts'
import { press } from '../hand.ts'
import type { Seed } from '../seed.ts'
import { LONG, RECIPIENTS } from './recipient-screens.ts'

const P = `${API}/project/*`
const LIST = `${P}/withdrawals?*`
const METRICS = `${P}/withdrawals/metrics`
const ONE = `${P}/withdrawal/*`
const HASH = `0x9f3c${'7a'.repeat(28)}a01b`

const approval = (memberID: number, email: string) => ({
  ...{ memberID, email, at: new Date(Date.now() - memberID * 3_600_000).toISOString(), method: 'passkey', note: '' },
  ...{ digest: 'ab'.repeat(32), counts: true },
})
const waits = (code: string, params: object) => ({ waitReason: code, waits: { code, params, text: '' } })
/** One of the two people has approved it. */
const HALF = {
  approvals: { required: 2, given: [approval(3, 'olga@acme.example')], byOthersOnly: false },
  ...waits('APPROVAL', { given: 1, needed: 2, able: 2, permission: 'payout:approve' }),
}
const GAS = waits('GAS', { currency: 'ETH', chain: 'BASE' })

const ROWS = [
  wirePayout({ id: 12, ...HALF }),
  wirePayout({ id: 11, status: 'pending', amount: '0.0125', currencyCode: 'ETH', amountInUSD: '39.02', ...GAS }),
  wirePayout({ id: 10, status: 'sent', confirmations: 3, txHash: HASH, waitReason: null, waits: null }),
  wirePayout({ id: 9, status: 'sent', txHash: HASH, recipientName: LONG, ...waits('STUCK', {}) }),
  wirePayout({
    ...{ id: 8, status: 'processed', amount: '1234567.89', amountInUSD: '1234567.89', txHash: HASH },
    ...{ waitReason: null, waits: null, webhookStatus: 'received' },
  }),
  wirePayout({
    ...{ id: 7, status: 'failed', type: 'withdrawal', recipientID: null, recipientName: null, waitReason: null },
    ...{ waits: null, failureReason: 'The network undid the transaction: only its fee was spent.', txHash: HASH },
  }),
  wirePayout({ id: 6, status: 'rejected', waitReason: null, waits: null, failureReason: 'Paid by bank transfer' }),
]

const LISTED: Changes = {
  [LIST]: wirePayouts(ROWS),
  [`${P}/withdrawals`]: wirePayouts(ROWS),
  [METRICS]: WIRE_METRICS,
  [ONE]: wirePayoutDetail({
    ...HALF,
    timeline: [
      { at: '2026-11-20T05:10:44.000Z', event: 'payout.pending-approval', actor: 'operator:2', data: {} },
      { at: '2026-11-20T05:14:02.000Z', event: 'payout.approved', actor: 'operator:3', data: {} },
    ],
  }),
}

const none = wirePayouts([])
const path = (query: string) => `/withdraw/payouts?${query}`

/** The list, with what holds all of it, and every drawer and dialog. */
export function payoutScreens({ shop: { project } }: Pick<Seed, 'shop'>): readonly Screen[] {
  const own = `projectId=${project}`
  const over = { path: path(`${own}&open=12`), isOverlay: true, alters: LISTED }
  const one = (more: object): Changes => ({ ...LISTED, [ONE]: wirePayoutDetail(more) })
  const paused = { project: null, install: '2026-11-20T05:10:00.000Z' }
  const held = { ...WIRE_METRICS, paused, shortOf: [{ blockchainCode: 'BASE', currencyCode: 'ETH' }] }
  return [
    ...inSet('A', [
      { name: 'payouts', path: path(own), shows: /Supplier A/, alters: LISTED },
      { ...over, name: 'payout', shows: 'amber lotus seven drum' },
    ]),
    { name: 'payouts-all', path: path('view=all'), shows: /Supplier A/, alters: LISTED },
    { name: 'payouts-held', path: path(own), shows: /Sending is paused/, alters: { ...LISTED, [METRICS]: held } },
    { name: 'payouts-none', path: path(own), shows: 'No payouts yet.' },
    { name: 'payouts-none-mine', path: path(`${own}&view=mine`), shows: 'Nothing waits for you.' },
    {
      name: 'payouts-failed',
      path: path(own),
      shows: 'Payouts couldn’t be loaded',
      alters: { [LIST]: REFUSED, [METRICS]: REFUSED },
    },
    { name: 'payouts-waiting', path: path(own), set: 'C', shows: 'Payouts', alters: { [LIST]: HELD, [METRICS]: HELD } },
    {
      ...over,
      name: 'payout-stuck',
      shows: 'Raise the fee',
      alters: one({ id: 12, status: 'sent', txHash: HASH, ...waits('STUCK', {}) }),
    },
    {
      ...over,
      name: 'payout-paid',
      shows: 'Paid',
      alters: one({ status: 'processed', txHash: HASH, ...{ waitReason: null, waits: null, fee: '0.000021' } }),
    },
    {
      ...over,
      name: 'payout-missing',
      shows: /There’s no payout with this number/,
      alters: { ...LISTED, [ONE]: refusal(404, 'WITHDRAWAL_NOT_FOUND', 'There is no such payout.') },
    },
    { ...over, name: 'payout-approve', shows: 'Approve payout', act: footer('Approve') },
    { ...over, name: 'payout-reject', shows: 'Reject payout', act: footer('Reject') },
    { ...over, name: 'payout-cancel', shows: /Cancel this payout|Keep payout/, act: footer('Cancel payout') },
  ]
}

const footer = (name: string) => (page: Page) =>
  page.getByRole('dialog', { name: 'Payout 12' }).getByRole('button', { name, exact: true }).click()

/** Payouts that wait for this operator, and for others. */
export function approvalScreens({ shop: { project } }: Pick<Seed, 'shop'>): readonly Screen[] {
  const approvals = { path: `/withdraw/approvals?projectId=${project}` }
  const mine = wirePayouts([ROWS[0] ?? {}, wirePayout({ id: 13, recipientName: LONG, earlierPayouts: 0, note: '' })])
  const until = '2026-11-21T05:14:00.000Z'
  const ofPromoter = wirePayouts([
    wirePayout({
      ...{ id: 14, type: 'withdrawal', recipientName: 'K7Q2M9A', note: '', createdByMember: null, createdBy: 'system' },
      waitsNext: { code: 'EMAIL_CHANGED', params: { until }, text: '' },
    }),
  ])
  const self = refusal(403, 'PAYOUT_SELF_APPROVAL', 'Someone else must approve a payout you created.')
  const alters: Changes = { [LIST]: mine, [METRICS]: WIRE_METRICS, [`POST ${API}/withdrawal/*/approve`]: self }
  return [
    ...inSet('A', [{ ...approvals, name: 'approvals', shows: /Word check/, alters }]),
    { ...approvals, name: 'approvals-email', shows: /e-mail was changed/, alters: { ...alters, [LIST]: ofPromoter } },
    { ...approvals, name: 'approvals-none', shows: 'Nothing waits for you.', alters: { [LIST]: none } },
    {
      ...approvals,
      name: 'approvals-refused',
      shows: 'Someone else must approve a payout you created.',
      alters,
      act: (page) =>
        page
          .getByRole('article')
          .first()
          .getByRole('button', { name: /^Approve/ })
          .click(),
    },
    {
      ...{ ...approvals, name: 'approvals-several', shows: /One confirmation covers them/, isOverlay: true, alters },
      act: (page) => press(page, 'Approve several'),
    },
    { ...approvals, name: 'approvals-failed', shows: /couldn’t be loaded/, alters: { [LIST]: REFUSED } },
  ]
}

/** A payout from its form to what became of it. */
export function newPayoutScreens({ shop: { project } }: Pick<Seed, 'shop'>): readonly Screen[] {
  const form = `/withdraw/payouts/new?projectId=${project}`
  const alters: Changes = {
    [`${P}/recipients*`]: RECIPIENTS,
    [`${P}/payout-balance*`]: [wireBalance()],
    [METRICS]: WIRE_METRICS,
    [`POST ${P}/admin/withdrawal`]: wirePayout(),
    [`POST ${P}/withdrawals/quote`]: wireQuote(),
  }
  const fillIn = (recipient: string, amount: string) => async (page: Page) => {
    await page.getByRole('combobox', { name: /^To/ }).selectOption(recipient)
    await page.getByRole('textbox', { name: /^Amount/ }).fill(amount)
  }
  const review = (recipient: string) => async (page: Page) => {
    await fillIn(recipient, '800')(page)
    await press(page, 'Review payout')
  }
  const shown = { path: form, alters }
  return [
    ...inSet('A', [
      { ...shown, name: 'new-payout', shows: /about 0\.00021/, act: fillIn('5', '800') },
      { ...shown, name: 'new-payout-review', shows: 'Create payout', isOverlay: true, act: review('5') },
    ]),
    { ...shown, name: 'new-payout-empty', shows: 'Review payout' },
    { ...shown, name: 'new-payout-errors', shows: 'Amount is required', act: (page) => press(page, 'Review payout') },
    ...quoteScreens({ path: form, alters }, fillIn),
    ...listScreens(`${form}&tabId=csv`, alters),
    {
      ...shown,
      name: 'new-payout-first',
      shows: 'First payout to this address',
      isOverlay: true,
      alters: {
        ...alters,
        [`${P}/payout-balance*`]: [wireBalance({ blockchainCode: 'ETH' })],
        [`POST ${P}/withdrawals/quote`]: wireQuote({}, { blockchainCode: 'ETH' }),
      },
      act: review('6'),
    },
    {
      ...shown,
      name: 'new-payout-created',
      shows: 'Follow it',
      act: async (page) => {
        await review('5')(page)
        await press(page, 'Create payout')
      },
    },
    {
      ...shown,
      name: 'new-payout-nobody',
      shows: 'No recipients yet',
      alters: { ...alters, [`${P}/recipients*`]: wireRecipients([]) },
    },
  ]
}

type Fill = (recipient: string, amount: string) => (page: Page) => Promise<void>

/** All that was earned, a payout that would wait, and a server that does not answer. */
function quoteScreens({ path, alters }: { path: string; alters: Changes }, fillIn: Fill): readonly Screen[] {
  const quoted = (answer: object): Changes => ({ ...alters, [`POST ${P}/withdrawals/quote`]: answer })
  const short = quoted(wireQuote({}, { availableAfter: '-3795.69', ...GAS }))
  const earned = { ...alters, [`${P}/payout-balance*`]: [wireBalance({ payable: '20.5' })] }
  const fillMost = async (page: Page) => {
    await fillIn('5', '')(page)
    await press(page, /^Max/)
  }
  return [
    { path, name: 'new-payout-max', shows: /has earned 20\.5/, alters: earned, act: fillMost },
    { path, name: 'new-payout-waits', shows: /needs ETH on Base/, alters: short, act: fillIn('5', '5000') },
    { path, name: 'new-payout-unquoted', shows: /couldn’t be read/, alters: quoted(REFUSED), act: fillIn('5', '800') },
  ]
}

/** Many payouts from a file: chosen, wrong in places, and ready. */
function listScreens(path: string, before: Changes): readonly Screen[] {
  const head = 'recipient,network,currency,amount,reference,note'
  const paste =
    (...lines: readonly string[]) =>
    async (page: Page) => {
      await page.getByRole('textbox', { name: 'Or paste the lines' }).fill([head, ...lines].join('\n'))
      await press(page, 'Check the lines')
    }
  const good = ['Supplier A,BASE,USDC,800,invoice-1,October', 'Supplier A,BASE,USDC,120.50,invoice-2,']
  const wrong = ['Nobody,BASE,USDC,5,invoice-1,', 'Supplier A,BASE,USDC,"1,50",invoice-2,']
  const sum = { payouts: 2, amount: '920.5', amountInUSD: '920.04', availableAfter: '283.81' }
  const quote = wireQuote({ amountInUSD: '920.04' }, sum)
  const alters = { ...before, [`POST ${P}/withdrawals/quote`]: quote }
  return [
    { path, alters, name: 'payouts-csv', shows: 'What a file looks like' },
    { path, alters, name: 'payouts-csv-wrong', shows: /No recipient/, act: paste(...good, ...wrong) },
    ...inSet('A', [{ path, alters, name: 'payouts-csv-ready', shows: /about 0\.00021/, act: paste(...good) }]),
    {
      ...{ path, alters, name: 'payouts-csv-review', shows: 'Create 2 payouts', isOverlay: true },
      act: async (page) => {
        await paste(...good)(page)
        await press(page, 'Review payouts')
      },
    },
  ]
}
