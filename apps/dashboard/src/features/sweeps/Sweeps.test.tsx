import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { me } from '../../testing/answers.ts'
import { asset } from '../../testing/install-answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../../testing/stub-server.ts'
import {
  COLLECTOR,
  WIRE_OVERVIEW,
  WIRE_SWEEP_METRICS,
  wireApprovalAddress,
  wireFunds,
  wireJob,
  wirePlan,
  wireSweep,
  wireSweepDetail,
  wireSweeps,
} from '../../testing/sweep-answers.ts'
import { Sweeps } from './Sweeps.tsx'

const FUNDS = 'GET /project/7/addresses/balance'
const PLAN = 'POST /sweeps/plan'
const START = 'POST /sweeps'

beforeEach(() => {
  localStorage.clear()
  window.innerWidth = 1300
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const serve = (answers: Answers, role = 'root') =>
  stubServer({
    'GET /member/me': () => me(role),
    'GET /project/7/sweeps/metrics': () => WIRE_SWEEP_METRICS,
    [PLAN]: () => wirePlan(),
    ...answers,
  })

const show = (query: string) => renderScreen(<Sweeps projectId="7" />, `/sweepIn?${query}`)
const digits = (address: string) => (_: string, element: Element | null) =>
  element?.tagName === 'BDI' && element.textContent === address

describe('funds', () => {
  it('says what is ready at which price, and why the rest stays', async () => {
    const small = {
      waits: { code: 'BELOW_MINIMUM', params: { minimum: '0.01', missing: '0.0011', currency: 'ETH' }, text: '' },
      action: 'sweep_not_allowed',
      currencyCode: 'ETH',
      amount: '0.0089',
      amountUSD: '28.00',
      addressCount: 31,
    }
    serve({ [FUNDS]: () => [wireFunds(), wireFunds(small)] })
    show('tabId=Funds')
    const plan = within(await screen.findByRole('region', { name: 'Plan' }))
    expect(await plan.findByText('311 addresses · $16,002.00 · gas about $2.80 (<0.1%) · 7 transactions')).toBeDefined()
    expect(plan.getByText('43 addresses · $29.20')).toBeDefined()
    expect(plan.getByText('below minimum 31')).toBeDefined()
    expect(plan.getByText('below the fee 12')).toBeDefined()
    const table = within(screen.getByRole('table', { name: 'Funds' }))
    expect(table.getByText(/Below minimum: 0\.01\sETH per address, 0\.0011\sETH short/)).toBeDefined()
  })

  it('sweeps what is ready after its end was shown in full', async () => {
    const calls = serve({ [FUNDS]: () => [wireFunds()], [START]: () => ({ sweeps: [wireSweep()] }) })
    show('tabId=Funds')
    await screen.findByText(/7 transactions/)
    await userEvent.click(screen.getByRole('button', { name: 'Sweep what’s ready' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Sweep to your cold wallet?' }))
    expect(await dialog.findByText(digits(COLLECTOR))).toBeDefined()
    expect(dialog.getByText('Ledger 1')).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Sweep 311 addresses' }))
    expect(await screen.findByText('1 sweep started')).toBeDefined()
    const started = calls.filter(({ method, path }) => method === 'POST' && path === '/sweeps')
    expect(started.map(({ body }) => body)).toEqual([{ planID: 'plan-1' }])
  })

  it('plans again and asks again where the plan is too old', async () => {
    let asked = 0
    const calls = serve({
      [FUNDS]: () => [wireFunds()],
      [START]: () =>
        (asked += 1) === 1 ? refusal(409, 'SWEEP_PLAN_EXPIRED', 'This plan is too old.') : { sweeps: [wireSweep()] },
    })
    show('tabId=Funds')
    await userEvent.click(await screen.findByRole('button', { name: 'Sweep' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(await dialog.findByRole('button', { name: 'Sweep 311 addresses' }))
    expect(await dialog.findByText(/It was made again: look at the new price/)).toBeDefined()
    expect(screen.queryByText('1 sweep started')).toBeNull()
    await userEvent.click(dialog.getByRole('button', { name: 'Sweep 311 addresses' }))
    expect(await screen.findByText('1 sweep started')).toBeDefined()
    expect(calls.filter(({ method, path }) => method === 'POST' && path === '/sweeps')).toHaveLength(2)
  })

  it('leads from each obstacle to where it is removed, and leaves other networks to themselves', async () => {
    const missing = { code: 'HOT_WALLET_MISSING', params: { chain: 'ETH' }, text: '' }
    serve({
      [FUNDS]: () => [
        wireFunds({ action: 'sweep_not_allowed', waits: missing }),
        wireFunds({ action: 'deploy_deposit_wallet', currencyCode: 'USDT' }),
        wireFunds({ blockchainCode: 'BASE', manual: false, nextProbableSweepAt: '2026-11-20T05:40:00.000Z' }),
      ],
    })
    show('tabId=Funds')
    const add = await screen.findByRole('link', { name: 'Add hot wallet' })
    expect(add.getAttribute('href')).toBe('/manageWallet/hot-wallet')
    expect(screen.getByRole('link', { name: 'Deploy contract' }).getAttribute('href')).toBe(
      '/manageWallet/sweepContract/deploy',
    )
    expect(screen.getByText(/Swept automatically, next about/)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Sweep' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Sweep what’s ready' }).getAttribute('aria-disabled')).toBe('true')
  })

  it('has an empty state, a failure with a retry, and no actions for operators who only read', async () => {
    serve({ [FUNDS]: () => [] })
    show('tabId=Funds')
    expect(await screen.findByText('Nothing to sweep.')).toBeDefined()
    cleanup()
    serve({ [FUNDS]: () => refusal(500, 'INTERNAL_ERROR', 'Something went wrong') })
    show('tabId=Funds')
    expect(await screen.findByText('Funds couldn’t be loaded')).toBeDefined()
    cleanup()
    serve({ [FUNDS]: () => [wireFunds()] }, 'auditor')
    show('tabId=Funds')
    expect(await screen.findByText(/7 transactions/)).toBeDefined()
    for (const name of ['Sweep', 'Sweep what’s ready', 'Automatic sweeping']) {
      expect(screen.queryByRole('button', { name })).toBeNull()
    }
  })
})

describe('approvals', () => {
  const K = '/addresses/blockchain/ETH/currency/USDC/contract/sweep_approval'
  const eoa = wireFunds({
    walletID: 4,
    walletName: 'Keys',
    path: 'permission',
    action: 'pending_approval',
    waits: { code: 'NEEDS_PERMISSION', params: {}, text: '' },
  })
  const answers = {
    [FUNDS]: () => [eoa],
    [`GET ${K}`]: () => WIRE_OVERVIEW,
    [`GET ${K}/pending-approval`]: () => ({ data: [wireApprovalAddress()], total: 1, nextCursor: null }),
    [`GET ${K}/account-addresses`]: () => wireJob(),
  }

  it('hands a batch to the signer and says of each signature why it was not taken', async () => {
    const calls = serve({
      ...answers,
      [`POST ${K}/pending-approval`]: () => ({
        batchID: 'b-1',
        expiresAt: '2099-01-01T00:00:00.000Z',
        addresses: [],
        approvals: [],
        gasTopUps: [],
      }),
      'POST /address-contract-signature/blockchain/ETH/currency/USDC/contract/sweep_approval/approval-signature':
        () => ({
          accepted: 0,
          rejected: [{ addressID: 61, code: 'WRONG_SIGNER', text: 'It was signed by another key.' }],
          data: [],
        }),
    })
    show('tabId=Funds')
    await userEvent.click(await screen.findByRole('button', { name: 'Approve' }))
    const drawer = within(await screen.findByRole('dialog', { name: 'USDC on Ethereum, Keys' }))
    expect(await drawer.findByText(digits(COLLECTOR))).toBeDefined()
    await userEvent.click(drawer.getByRole('button', { name: 'Prepare 1 address' }))
    const signed = { batchID: 'b-1', signatures: [{ addressID: 61, signedTransaction: '0x02' }] }
    const file = new File([JSON.stringify(signed)], 'signatures.json', { type: 'application/json' })
    await userEvent.upload(await drawer.findByLabelText('Upload signatures'), file)
    expect(await drawer.findByText('It was signed by another key.')).toBeDefined()
    expect(calls.find(({ path }) => path.endsWith('/approval-signature'))?.body).toEqual(signed)
  })

  it('refuses a file of another batch before it is sent', async () => {
    const calls = serve(answers)
    show('tabId=Funds&approve=4.ETH.USDC&batch=b-1')
    const other = new File([JSON.stringify({ batchID: 'b-2', signatures: [{}] })], 'other.json')
    await userEvent.upload(await screen.findByLabelText('Upload signatures'), other)
    expect(await screen.findByText('This file belongs to another batch.')).toBeDefined()
    expect(calls.some(({ path }) => path.endsWith('/approval-signature'))).toBe(false)
  })

  const approved = (path: string) => ({
    [`GET ${path}`]: () => WIRE_OVERVIEW,
    [`GET ${path}/pending-approval`]: () => ({
      data: [wireApprovalAddress({ state: 'approved', approvalState: 'approved' })],
      total: 1,
      nextCursor: null,
    }),
    [`POST ${path}/sweep-initiated`]: () => ({
      sweepID: 21,
      sweep: wireSweep({ status: 'sweep-initiated' }),
      transaction: {
        to: `0x${'4'.repeat(40)}`,
        data: '0xf00d',
        value: '0',
        chainId: 1,
        gasLimit: '90000',
        maxFee: '2',
      },
      fundCollector: COLLECTOR,
      expiresAt: '2099-01-01T00:00:00.000Z',
    }),
  })

  it('takes the hash on TRON where this browser has no wallet of it', async () => {
    const onTron = { ...eoa, blockchainCode: 'TRX', blockchainFamily: 'TRX_Family', currencyCode: 'USDT' }
    serve({ [FUNDS]: () => [onTron], ...approved('/addresses/blockchain/TRX/currency/USDT/contract/sweep_approval') })
    show('tabId=Funds&approve=4.TRX.USDT&step=execute')
    await userEvent.click(await screen.findByRole('button', { name: 'Send it from my own wallet' }))
    expect(await screen.findByLabelText(/Transaction hash/)).toBeDefined()
    expect(screen.queryByRole('button', { name: /^Open in/ })).toBeNull()
  })

  it('asks before the hot wallet moves approved addresses, and says where the money goes', async () => {
    const calls = serve({ ...answers, ...approved(K) })
    show('tabId=Funds&approve=4.ETH.USDC&step=execute')
    const started = () => calls.filter(({ path }) => path.endsWith('/sweep-initiated'))
    await userEvent.click(await screen.findByRole('button', { name: /^Sweep \d+ address/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Sweep to your cold wallet?' }))
    expect(dialog.getByText('Destination')).toBeDefined()
    expect(started()).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: /^Sweep \d+ address/ }))
    await waitFor(() => expect(started().map(({ body }) => body)).toMatchObject([{ execute: true }]))
  })

  it('asks before it releases what the operator’s own wallet was to send', async () => {
    const calls = serve({ ...answers, ...approved(K) })
    show('tabId=Funds&approve=4.ETH.USDC&step=execute')
    await userEvent.click(await screen.findByRole('button', { name: 'Send it from my own wallet' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Release' }))
    expect(await screen.findByRole('dialog', { name: 'Release this sweep?' })).toBeDefined()
    expect(calls.some(({ path }) => path.endsWith('/sweep-cancelled'))).toBe(false)
  })

  it('executes approved addresses from the operator’s own wallet, and records its hash', async () => {
    const calls = serve({
      ...answers,
      ...approved(K),
      'POST /sweep/blockchain/ETH/tx': () => ({ sweep: wireSweep() }),
    })
    show('tabId=Funds&approve=4.ETH.USDC')
    await userEvent.click(await screen.findByRole('button', { name: 'Go on to Execute' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Send it from my own wallet' }))
    expect(await screen.findByText('0xf00d')).toBeDefined()
    expect(screen.getByText('90,000')).toBeDefined()
    expect(screen.getByText('Ethereum (1)')).toBeDefined()
    await userEvent.type(screen.getByLabelText(/Transaction hash/), `0x${'cd'.repeat(32)}`)
    await userEvent.click(screen.getByRole('button', { name: 'Record transaction' }))
    await waitFor(() =>
      expect(calls.find(({ path }) => path.endsWith('/tx'))?.body).toEqual({
        sweepID: 21,
        txHash: `0x${'cd'.repeat(32)}`,
      }),
    )
  })
})

describe('history', () => {
  const list = 'GET /project/7/sweeps'

  it('lists what was moved at what cost, and opens it with addresses, transactions and ledger', async () => {
    serve({ [list]: () => wireSweeps([wireSweep()]), 'GET /sweeps/21': () => wireSweepDetail() })
    show('tabId=History')
    const table = within(await screen.findByRole('table', { name: 'Sweep history' }))
    expect(await table.findByText('Sent 3/12')).toBeDefined()
    expect(table.getByText('$0.80 · 0.03%')).toBeDefined()
    await userEvent.click(table.getAllByRole('link', { name: /2,500/ })[0] as HTMLElement)
    const drawer = within(await screen.findByRole('dialog', { name: 'Sweep 21' }))
    expect(await drawer.findByText(digits(COLLECTOR))).toBeDefined()
    await userEvent.click(drawer.getByRole('tab', { name: /^Ledger/ }))
    const ledger = within(await drawer.findByRole('table', { name: 'Ledger' }))
    const moved = expect.stringMatching(/2,500\sUSDC/)
    expect(ledger.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual([
      ...['chain transit', moved, '', 'chain deposit addresses', '', moved],
      'Sum 0: balanced',
    ])
    expect(ledger.getByText('sweep start')).toBeDefined()
    await userEvent.click(drawer.getByRole('tab', { name: /^Addresses/ }))
    expect(await drawer.findAllByText('On its way')).toHaveLength(2)
  })

  it('sends a stuck sweep again with a higher fee', async () => {
    const stuck = wireSweepDetail({ waits: { code: 'STUCK', params: {}, text: '' } })
    const calls = serve({
      [list]: () => wireSweeps([wireSweep()]),
      'GET /sweeps/21': () => stuck,
      'POST /sweeps/21/retry': () => wireSweep(),
    })
    show('tabId=History&open=21')
    await userEvent.click(await screen.findByRole('button', { name: 'Raise the fee' }))
    await userEvent.type(await screen.findByLabelText('Highest network fee'), '0.01')
    await userEvent.click(screen.getByRole('button', { name: 'Send again' }))
    await waitFor(() => expect(calls.find(({ path }) => path.endsWith('/retry'))?.body).toEqual({ maxFee: '0.01' }))
  })

  it('makes a new batch at a higher fee of what a device signed, until a block holds it', async () => {
    let waits: object | null = null
    const calls = serve({
      [list]: () => wireSweeps([wireSweep()]),
      'GET /sweeps/21': () => wireSweepDetail({ sentBy: 'device', path: 'device', status: 'broadcast', waits }),
      'POST /sweeps/21/retry': () => wireSweep(),
    })
    show('tabId=History&open=21')
    await userEvent.click(await screen.findByRole('button', { name: 'Raise the fee' }))
    expect(screen.getByText(/^The same coins/)).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Send again' }))
    await waitFor(() => expect(calls.find(({ path }) => path.endsWith('/retry'))?.body).toEqual({ maxFee: null }))
    expect(await screen.findByText('The new batch waits for your device, on the page Funds.')).toBeDefined()
    cleanup()
    waits = { code: 'CONFIRMATIONS', params: { current: 1, required: 3 }, text: '' }
    show('tabId=History&open=21')
    expect(await screen.findByRole('button', { name: 'Copy report' })).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Raise the fee' })).toBeNull()
  })

  it('is saved from its first page on, whichever page is on screen', async () => {
    const asked: (string | null)[] = []
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:export')
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
    serve({
      [list]: () => {
        const [url] = vi.mocked(fetch).mock.lastCall ?? []
        const { searchParams } = new URL(typeof url === 'string' ? url : '', window.location.href)
        if (searchParams.get('limit') === '200') asked.push(searchParams.get('cursor'))
        return wireSweeps([wireSweep()])
      },
    })
    vi.spyOn(globalThis, 'fetch')
    show('tabId=History&cursor=second')
    await userEvent.click(await screen.findByRole('button', { name: 'Export CSV' }))
    expect(await screen.findByText('Sweeps saved as CSV')).toBeDefined()
    expect(asked).toEqual([null])
  })

  it('is empty before the first sweep', async () => {
    serve({ [list]: () => wireSweeps([]) })
    show('tabId=History')
    expect(await screen.findByText('No sweep yet.')).toBeDefined()
  })
})

describe('automatic sweeping', () => {
  it('changes the thresholds of one asset, and sends what was changed alone', async () => {
    const calls = serve({
      [FUNDS]: () => [],
      'GET /blockchain-currency': () => [asset()],
      'PUT /blockchain-currency/blockchain/BASE/currency/USDC': () => asset(),
    })
    show('tabId=Funds')
    await userEvent.click(await screen.findByRole('button', { name: 'Automatic sweeping' }))
    await userEvent.type(await screen.findByLabelText('Smallest amount of a sweep'), '500')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ minAmountInSweepTx: '500' }),
    )
  })
})
