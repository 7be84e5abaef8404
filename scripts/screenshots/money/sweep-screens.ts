/** Deposits on their way to the cold wallet: what is ready, what stays behind and why, each step, and what was moved. */
import type { Page } from 'playwright-core'

import {
  WIRE_OVERVIEW,
  WIRE_SWEEP_METRICS,
  wireApprovalAddress,
  wireFunds,
  wireJob,
  wirePlan,
  wireSweep,
  wireSweepDetail,
  wireSweeps,
} from '../../../apps/dashboard/src/testing/sweep-answers.ts'
import { API, type Changes, HELD, REFUSED } from '../answers.ts'
import { inSet, type Screen } from '../camera.ts'
import { fill, press } from '../hand.ts'

const FUNDS = '/sweepIn?tabId=Funds'
const HISTORY = '/sweepIn?tabId=History'

const BALANCES = `${API}/project/*/addresses/balance`
const METRICS = `${API}/project/*/sweeps/metrics`
const SWEEPS = `${API}/project/*/sweeps?*`
const K = `${API}/addresses/blockchain/ETH/currency/USDC/contract/sweep_approval`
const SOON = new Date(Date.now() + 25 * 60_000).toISOString()

const waits = (code: string, params: object = {}) => ({ waits: { code, params, text: '' } })
const stays = { action: 'sweep_not_allowed' }
const keys = { walletID: 4, walletName: 'Keys', path: 'permission' }

const small = { currencyCode: 'ETH', currencyAddress: null, amount: '0.0089', amountUSD: '28.00', addressCount: 31 }
const ROWS = [
  wireFunds(),
  wireFunds({
    ...{ ...keys, amount: '2202', amountUSD: '2202.00', addressCount: 101, action: 'pending_approval' },
    ...waits('NEEDS_PERMISSION'),
  }),
  wireFunds({ ...small, ...stays, ...waits('BELOW_MINIMUM', { minimum: '0.01', missing: '0.0011', currency: 'ETH' }) }),
  wireFunds({
    ...{ blockchainCode: 'TRX', blockchainFamily: 'TRX_Family', currencyCode: 'USDT', amount: '418.5' },
    ...{ amountUSD: '418.50', addressCount: 9, walletName: 'Deposits on TRON', walletID: 6, ...stays },
    ...waits('LOW_NATIVE_BALANCE', { amount: '18', currency: 'TRX', address: 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7' }),
  }),
  wireFunds({ ...stays, walletID: 7, walletName: 'Kraków', ...waits('HOT_WALLET_MISSING', { chain: 'ETH' }) }),
  wireFunds({
    ...{ walletID: 8, walletName: 'New', currencyCode: 'USDT', action: 'deploy_deposit_wallet' },
    ...waits('FUND_SWEEPER_NOT_DEPLOYED', { chain: 'ETH' }),
  }),
  wireFunds({ walletID: 9, walletName: 'Other', currencyCode: 'DAI', action: 'sweep_in_progress', sweptCount: 3 }),
  wireFunds({
    ...{ blockchainCode: 'BASE', manual: false, amount: '512', amountUSD: '512.00', addressCount: 12, walletID: 10 },
    ...{ nextProbableSweepAt: SOON },
  }),
]

const approved = { state: 'approved', approvalState: 'approved' }
const ADDRESSES = [
  wireApprovalAddress(),
  wireApprovalAddress({ addressID: 62, address: `0x${'7'.repeat(40)}`, gasState: 'sent', balance: '45.5' }),
  wireApprovalAddress({ addressID: 63, address: `0x${'8'.repeat(40)}`, approvalState: 'stale', balance: '12' }),
]

const LISTED: Changes = {
  [BALANCES]: ROWS,
  [METRICS]: { ...WIRE_SWEEP_METRICS, sweptLast24h: '5120.50' },
  [`POST ${API}/sweeps/plan`]: wirePlan(),
  [K]: WIRE_OVERVIEW,
  [`${K}/pending-approval?*`]: { data: ADDRESSES, total: 3, nextCursor: null },
  [`${K}/pending-approval?*state=approved*`]: { data: [wireApprovalAddress(approved)], total: 1, nextCursor: null },
  [`${K}/account-addresses?*`]: wireJob({ expiresAt: SOON }),
  [`POST ${K}/sweep-initiated`]: {
    ...{ sweepID: 21, sweep: wireSweep({ status: 'sweep-initiated', sentBy: 'own-wallet' }) },
    transaction: {
      ...{ to: `0x${'4'.repeat(40)}`, data: `0xf00d${'00ab'.repeat(120)}`, value: '0', chainId: 1, gasLimit: '90000' },
      maxFee: '2',
    },
    ...{ fundCollector: WIRE_OVERVIEW.contract.fundCollectorAddress, expiresAt: SOON },
  },
}

/** Balances of deposit addresses, and each step of a sweep. */
export function fundsScreens(): readonly Screen[] {
  const shown = { path: FUNDS, alters: LISTED }
  const step = (query: string) => ({ ...shown, path: `${FUNDS}&approve=4.ETH.USDC${query}`, isOverlay: true })
  return [
    ...inSet('A', [
      { ...shown, name: 'funds', shows: /7 transactions/ },
      { ...shown, name: 'funds-sweep', shows: 'Ledger 1', isOverlay: true, act: (page) => press(page, /^Sweep what/) },
      { ...step(''), name: 'funds-approve', shows: /^Prepare/ },
      { ...step('&batch=b-1'), name: 'funds-sign', shows: 'Upload signatures' },
      { ...step('&step=execute'), name: 'funds-execute', shows: 'Send it from my own wallet' },
      {
        ...step('&step=execute'),
        name: 'funds-own-wallet',
        shows: 'Record transaction',
        act: (page) => press(page, 'Send it from my own wallet'),
      },
    ]),
    { name: 'funds-own', path: FUNDS, shows: 'Stays' },
    { name: 'funds-none', path: FUNDS, shows: 'Nothing to sweep.', alters: { [BALANCES]: () => [] } },
    { name: 'funds-failed', path: FUNDS, shows: 'Funds couldn’t be loaded', alters: { [BALANCES]: REFUSED } },
    {
      name: 'funds-waiting',
      path: FUNDS,
      set: 'C',
      shows: 'Funds Consolidation',
      alters: { [BALANCES]: HELD, [METRICS]: HELD },
    },
    {
      ...shown,
      name: 'funds-unplanned',
      shows: 'The database does not answer.',
      alters: { ...LISTED, [`POST ${API}/sweeps/plan`]: REFUSED },
    },
    {
      ...shown,
      name: 'funds-thresholds',
      shows: 'Smallest amount of a sweep',
      isOverlay: true,
      act: (page) => press(page, 'Automatic sweeping'),
    },
  ]
}

const HASH = `0x${'ab'.repeat(32)}`
const done = { status: 'completed', waits: null, sweptCount: 2, sweptAmount: '2500', confirmations: 12 }

const MOVED: Changes = {
  [SWEEPS]: wireSweeps([
    wireSweep(),
    wireSweep({ id: 20, ...waits('STUCK') }),
    wireSweep({ id: 19, ...done, trigger: 'time', startedBy: null }),
    wireSweep({ id: 18, status: 'sweep-initiated', sentBy: 'own-wallet', txHash: null, waits: null, expiresAt: SOON }),
    wireSweep({ id: 17, ...done, status: 'failed', sweptCount: 0, failedCount: 2 }),
    wireSweep({ id: 16, ...done, amount: '1234567.89', amountInUSD: '1234567.89', sweptAmount: '1234567.89' }),
  ]),
  [`${API}/sweeps/*`]: wireSweepDetail(),
}

const AWAITED = wireSweepDetail({ status: 'sweep-initiated', sentBy: 'own-wallet', txHash: null, waits: null })

/** What was moved, at what cost, and what may be done about a transaction that waits. */
export function sweepScreens(): readonly Screen[] {
  const over = { path: `${HISTORY}&open=21`, isOverlay: true, alters: MOVED }
  const tab = (name: RegExp) => (page: Page) => page.getByRole('tab', { name }).click()
  const awaited = { ...over, alters: { ...MOVED, [`${API}/sweeps/*`]: { ...AWAITED, expiresAt: SOON } } }
  return [
    ...inSet('A', [
      { name: 'sweeps', path: HISTORY, shows: 'Sent 3/12', alters: MOVED },
      { ...over, name: 'sweep', shows: 'Sweep 21' },
    ]),
    { ...over, name: 'sweep-ledger', shows: 'chain deposit addresses', act: tab(/^Ledger/) },
    { ...over, name: 'sweep-addresses', shows: 'On its way', act: tab(/^Addresses/) },
    {
      ...over,
      name: 'sweep-raise-fee',
      shows: 'Send again',
      alters: { ...MOVED, [`${API}/sweeps/*`]: wireSweepDetail(waits('STUCK')) },
      act: (page) => press(page, 'Raise the fee'),
    },
    {
      ...awaited,
      name: 'sweep-record',
      shows: 'This is not a valid transaction hash',
      act: async (page) => {
        await press(page, 'Record transaction')
        await fill(page, 'Transaction hash', HASH.slice(0, 12))
        await page.keyboard.press('Enter')
      },
    },
    { ...awaited, name: 'sweep-release', shows: 'Cancel', act: (page) => press(page, 'Release') },
    { name: 'sweeps-none', path: HISTORY, shows: 'No sweep yet.', alters: { [SWEEPS]: wireSweeps([]) } },
    { name: 'sweeps-failed', path: HISTORY, shows: /couldn’t be loaded/, alters: { [SWEEPS]: REFUSED } },
  ]
}
