import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { AT, me, project } from '../../testing/answers.ts'
import {
  WIRE_METRICS,
  WIRE_POLICY,
  wireBalance,
  wirePayout,
  wirePayoutDetail,
  wirePayouts,
  wireQuote,
  wireRecipient,
  wireRecipients,
} from '../../testing/payout-answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../../testing/stub-server.ts'
import { Approvals } from './Approvals.tsx'
import { NewPayout } from './NewPayout.tsx'
import { Payouts } from './Payouts.tsx'
import { WithdrawLinks } from './WithdrawLinks.tsx'

const P = '/project/7'

beforeEach(() => {
  localStorage.clear()
  window.innerWidth = 1300
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const serve = (answers: Answers, role = 'root') =>
  stubServer({
    'GET /member/me': () => me(role),
    'GET /external-platform/all': () => [project(7, 'Acme')],
    [`GET ${P}/withdrawals/metrics`]: () => WIRE_METRICS,
    [`GET ${P}/payout-config`]: () => WIRE_POLICY,
    ...answers,
  })

describe('what holds all payouts', () => {
  it('says that sending is paused or the float is short, and lets it go on', async () => {
    const paused = { project: null, install: '2026-11-01T05:10:00Z' }
    const shortOf = [{ blockchainCode: 'BASE', currencyCode: 'ETH' }]
    const calls = serve({
      [`GET ${P}/withdrawals/metrics`]: () => ({ ...WIRE_METRICS, paused, shortOf }),
      'POST /configuration': () => ({}),
    })
    renderScreen(<WithdrawLinks />, '/withdraw/payouts?projectId=7')
    expect(await screen.findByText(/Sending is paused for every project since/)).toBeDefined()
    expect(screen.getByText('Payouts wait: the hot wallets need more ETH on Base.')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Top up' })).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Resume' }))
    await waitFor(() =>
      expect(calls.find(({ path }) => path === '/configuration')?.body).toEqual({
        key: 'payouts.sending',
        value: 'on',
      }),
    )
  })
})

describe('the list of payouts', () => {
  it('says of each where it is, and opens it unshortened', async () => {
    const row = wirePayout({
      waits: { code: 'GAS', params: { currency: 'ETH', chain: 'BASE' }, text: '' },
      status: 'pending',
    })
    serve({
      [`GET ${P}/withdrawals`]: () => wirePayouts([row]),
      [`GET ${P}/withdrawal/12`]: () => wirePayoutDetail({ status: 'pending', fee: '0.00021' }),
    })
    renderScreen(<Payouts projectId="7" />, '/withdraw/payouts?projectId=7')
    expect(await screen.findByText(/The hot wallet needs ETH on Base/)).toBeDefined()
    expect(screen.getByText('Queued')).toBeDefined()
    await userEvent.click(screen.getAllByRole('link', { name: /800/ })[0] as HTMLElement)
    const drawer = within(await screen.findByRole('dialog', { name: 'Payout 12' }))
    expect(await drawer.findByText('amber lotus seven drum')).toBeDefined()
    expect(drawer.getByText(/^0\.00021\sETH$/)).toBeDefined()
    expect(drawer.getByText('2 approvals, not by the one who requested it: for every amount')).toBeDefined()
    expect(drawer.getByRole('list', { name: 'Progress of this payout' })).toBeDefined()
    expect(drawer.getByRole('button', { name: 'Cancel payout' })).toBeDefined()
  })

  it('shows every line of what was booked, the fee’s too, in the words of a payment’s ledger', async () => {
    const line = { id: 88, at: AT, posting: 'payout.send', debit: null, credit: null, asset: 'USDC' }
    const journal = [
      { ...line, account: 'project:held', debit: '800' },
      { ...line, account: 'chain:hot-wallets', credit: '800' },
      { ...line, account: 'project:network-fees', debit: '0.0002', asset: 'ETH' },
      { ...line, account: 'chain:hot-wallets', credit: '0.0002', asset: 'ETH' },
    ]
    serve({
      [`GET ${P}/withdrawals`]: () => wirePayouts([wirePayout()]),
      [`GET ${P}/withdrawal/12`]: () => wirePayoutDetail({ journal }),
    })
    renderScreen(<Payouts projectId="7" />, '/withdraw/payouts?projectId=7&open=12&panel=ledger')
    const ledger = within(await screen.findByRole('table', { name: 'Ledger' }))
    expect(ledger.getAllByText('chain hot wallets')).toHaveLength(2)
    expect(ledger.getAllByText(/0\.0002\sETH/)).toHaveLength(2)
    expect(ledger.getByText('project network fees')).toBeDefined()
    expect(ledger.getByText('Sum 0: balanced')).toBeDefined()
  })

  it('is empty by its nature, or fails with a way to try again', async () => {
    serve({ [`GET ${P}/withdrawals`]: () => wirePayouts([]) })
    renderScreen(<Payouts projectId="7" />, '/withdraw/payouts?projectId=7')
    expect(await screen.findByText('No payouts yet.')).toBeDefined()
    cleanup()
    serve({ [`GET ${P}/withdrawals`]: () => refusal(500, 'INTERNAL_ERROR', 'Something went wrong') })
    renderScreen(<Payouts projectId="7" />, '/withdraw/payouts?projectId=7')
    expect(await screen.findByText('Payouts couldn’t be loaded')).toBeDefined()
  })

  it('asks the server under “Needs me” for what the operator may approve, and counts that', async () => {
    const asked: (string | null)[] = []
    serve({
      [`GET ${P}/withdrawals`]: (_call, query) => {
        asked.push(query.get('waitingFor'))
        return { ...wirePayouts([wirePayout()]), total: 1204, nextCursor: 'second' }
      },
    })
    renderScreen(<Payouts projectId="7" />, '/withdraw/payouts?projectId=7&view=mine')
    const table = within(await screen.findByRole('table', { name: 'Payouts' }))
    expect(await table.findByText('Supplier A')).toBeDefined()
    expect(await screen.findByText(/of 1,204/)).toBeDefined()
    expect(new Set(asked)).toEqual(new Set(['me']))
  })

  it('offers no decision to operators who only read', async () => {
    serve(
      {
        [`GET ${P}/withdrawals`]: () => wirePayouts([wirePayout()]),
        [`GET ${P}/withdrawal/12`]: () => wirePayoutDetail(),
      },
      'auditor',
    )
    renderScreen(<Payouts projectId="7" />, '/withdraw/payouts?projectId=7&open=12')
    const drawer = within(await screen.findByRole('dialog', { name: 'Payout 12' }))
    await drawer.findByText('amber lotus seven drum')
    for (const name of ['Approve', 'Reject', 'Cancel payout']) expect(drawer.queryByRole('button', { name })).toBeNull()
    expect(screen.queryByRole('link', { name: 'New payout' })).toBeNull()
  })
})

describe('approvals', () => {
  /** Payouts that wait for the operator, and for others. */
  const waiting = ({ me: own = [], others = [] }: { me?: object[]; others?: object[] }): Answers => ({
    [`GET ${P}/withdrawals`]: (_call, query) => wirePayouts(query.get('waitingFor') === 'me' ? own : others),
  })

  it('shows what is approved in full, and approves it', async () => {
    let rows: object[] = [wirePayout()]
    const calls = serve({
      [`GET ${P}/withdrawals`]: (_call, query) => wirePayouts(query.get('waitingFor') === 'me' ? rows : []),
      'POST /withdrawal/12/approve': () => {
        rows = []
        return wirePayout({ status: 'pending', waits: null, waitReason: null })
      },
    })
    renderScreen(<Approvals projectId="7" />, '/withdraw/approvals?projectId=7')
    const card = within(await screen.findByRole('article', { name: /800\sUSDC to Supplier A/ }))
    expect(card.getByText('amber lotus seven drum')).toBeDefined()
    expect(card.getByText(/“October invoice” · known, 4 payouts before/)).toBeDefined()
    await userEvent.click(card.getByRole('button', { name: 'Approve' }))
    expect(await screen.findByText('Nothing waits for you.')).toBeDefined()
    expect(calls.filter(({ path }) => path === '/withdrawal/12/approve')).toHaveLength(1)
  })

  it('says before the approval that the promoter has another e-mail, and until when it will wait', async () => {
    const waitsNext = { code: 'EMAIL_CHANGED', params: { until: '2026-11-20T05:14:00.000Z' }, text: '' }
    serve(waiting({ me: [wirePayout({ waitsNext })] }))
    renderScreen(<Approvals projectId="7" />, '/withdraw/approvals?projectId=7')
    const card = within(await screen.findByRole('article', { name: /800\sUSDC to Supplier A/ }))
    expect(card.getByText(/The promoter’s e-mail was changed: payable from .*20/)).toBeDefined()
  })

  it('lets who approved approve again once a payout came back with all it needs, and not before', async () => {
    const given = {
      memberID: 1,
      email: 'ada@shop.example',
      at: '2026-01-05T10:00:00.000Z',
      method: 'totp',
      note: '',
      digest: 'ab',
      counts: true,
    }
    let required = 2
    const approvals = () => ({ required, given: [given], byOthersOnly: false })
    serve(waiting({ others: [wirePayout({ approvals: approvals() })] }))
    renderScreen(<Approvals projectId="7" />, '/withdraw/approvals?projectId=7')
    expect(await screen.findByText('You have already approved this payout.')).toBeDefined()
    cleanup()
    required = 1
    serve(waiting({ me: [wirePayout({ approvals: approvals() })] }))
    renderScreen(<Approvals projectId="7" />, '/withdraw/approvals?projectId=7')
    expect(await screen.findByRole('button', { name: 'Approve' })).toBeDefined()
    expect(screen.queryByText('You have already approved this payout.')).toBeNull()
  })

  it('lists payouts that the operator requested among those that wait for others, and says why', async () => {
    const approvals = { required: 1, given: [], byOthersOnly: true }
    serve(waiting({ others: [wirePayout({ approvals })] }))
    renderScreen(<Approvals projectId="7" />, '/withdraw/approvals?projectId=7')
    const others = within(await screen.findByRole('region', { name: 'Waits for others' }))
    expect(others.getByText('Someone else must approve a payout you created.')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
    expect(screen.getByText('Nothing waits for you.')).toBeDefined()
  })

  it('says that more wait than are shown', async () => {
    serve({
      [`GET ${P}/withdrawals`]: (_call, query) => {
        const isOwn = query.get('waitingFor') === 'me'
        return { ...wirePayouts(isOwn ? [wirePayout()] : []), total: isOwn ? 1204 : 3 }
      },
    })
    renderScreen(<Approvals projectId="7" />, '/withdraw/approvals?projectId=7')
    expect(await screen.findByText('1,204 wait for you')).toBeDefined()
    expect(screen.getByText(/^The oldest 1 of 1,207 are shown/)).toBeDefined()
  })

  it('keeps the card, with the reason, when another member must approve', async () => {
    serve({
      ...waiting({ me: [wirePayout()] }),
      'POST /withdrawal/12/approve': () =>
        refusal(403, 'PAYOUT_SELF_APPROVAL', 'Someone else must approve a payout you created.'),
    })
    renderScreen(<Approvals projectId="7" />, '/withdraw/approvals?projectId=7')
    await userEvent.click(await screen.findByRole('button', { name: 'Approve' }))
    expect(await screen.findByText('Someone else must approve a payout you created.')).toBeDefined()
  })

  it('asks for a reason before it rejects', async () => {
    const calls = serve({
      ...waiting({ me: [wirePayout()] }),
      'POST /withdrawal/12/reject': () => wirePayout({ status: 'rejected', waits: null }),
    })
    renderScreen(<Approvals projectId="7" />, '/withdraw/approvals?projectId=7')
    await userEvent.click(await screen.findByRole('button', { name: 'Reject' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Reject this payout?' }))
    await userEvent.type(dialog.getByLabelText('Reason'), 'twice')
    await userEvent.click(dialog.getByRole('button', { name: 'Reject payout' }))
    await waitFor(() => expect(calls.find(({ path }) => path.endsWith('/reject'))?.body).toEqual({ reason: 'twice' }))
  })
})

/** The server is asked once the amount stands still. */
const QUOTED = { timeout: 3000 }

describe('a new payout', () => {
  const answers = {
    [`GET ${P}/recipients`]: () => wireRecipients([wireRecipient()]),
    [`GET ${P}/payout-balance`]: () => [wireBalance()],
    [`POST ${P}/withdrawals/quote`]: () => wireQuote(),
    [`POST ${P}/admin/withdrawal`]: () => wirePayout(),
  }

  it('shows float and policy first, is reviewed unshortened, and then asked for', async () => {
    const calls = serve(answers)
    renderScreen(<NewPayout projectId="7" />, '/withdraw/payouts/new?projectId=7')
    await userEvent.selectOptions(await screen.findByLabelText(/^To/), '5')
    await userEvent.type(screen.getByLabelText(/^Amount/), '800')
    expect(await screen.findByText(/1,204\.31\sUSDC free; after it 404\.31\sUSDC/)).toBeDefined()
    expect(await screen.findByText('2 approvals, not yours: for every amount', {}, QUOTED)).toBeDefined()
    expect(screen.getByText(/about 0\.00021\sETH \(\$0\.63\)/)).toBeDefined()
    expect(calls.filter(({ path }) => path.endsWith('/quote')).map(({ body }) => body)).toEqual([
      { rows: [{ recipientID: 5, currencyCode: 'USDC', amount: '800' }] },
    ])
    await userEvent.click(screen.getByRole('button', { name: 'Review payout' }))
    const review = within(await screen.findByRole('dialog', { name: 'Review payout' }))
    expect(review.getByText('Supplier A')).toBeDefined()
    await userEvent.click(review.getByRole('button', { name: 'Create payout' }))
    expect(await screen.findByRole('link', { name: 'Follow it' })).toBeDefined()
    expect(calls.find(({ path }) => path.endsWith('/admin/withdrawal'))?.body).toEqual({
      recipientID: 5,
      currencyCode: 'USDC',
      amount: '800',
    })
  })

  it('says what an amount is worth and what can be paid out at most, and reviews both with how known the address is', async () => {
    serve(answers)
    renderScreen(<NewPayout projectId="7" />, '/withdraw/payouts/new?projectId=7')
    await userEvent.selectOptions(await screen.findByLabelText(/^To/), '5')
    await userEvent.type(screen.getByLabelText(/^Amount/), '800')
    expect(await screen.findByText('≈ $799.60')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Max 1,204.31' }))
    expect(screen.getByLabelText(/^Amount/)).toHaveProperty('value', '1204.31')
    expect(screen.getByText('≈ $1,203.70')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Review payout' }))
    const review = within(await screen.findByRole('dialog', { name: 'Review payout' }))
    expect(review.getByText('($1,203.70)')).toBeDefined()
    expect(review.getByText('5th payout to this address')).toBeDefined()
  })

  it('fills in no more than the project earned, and says so of an address that was never paid', async () => {
    serve({
      ...answers,
      [`GET ${P}/recipients`]: () => wireRecipients([wireRecipient({ earlierPayouts: 0 })]),
      [`GET ${P}/payout-balance`]: () => [wireBalance({ payable: '20.5', priceInUSD: null })],
    })
    renderScreen(<NewPayout projectId="7" />, '/withdraw/payouts/new?projectId=7')
    await userEvent.selectOptions(await screen.findByLabelText(/^To/), '5')
    expect(await screen.findByText(/this project has earned 20\.5\sUSDC of it/)).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Max 20.5' }))
    expect(screen.getByLabelText(/^Amount/)).toHaveProperty('value', '20.5')
    expect(screen.queryByText(/≈/)).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Review payout' }))
    const review = within(await screen.findByRole('dialog', { name: 'Review payout' }))
    expect(review.getByText('First payout to this address')).toBeDefined()
  })

  it('names the amounts above which more people must agree', async () => {
    const steps = [
      { aboveUSD: '5000', approvals: 3 },
      { aboveUSD: '500', approvals: 2 },
      { aboveUSD: '100', approvals: 1 },
    ]
    const payoutConfig = { ...WIRE_POLICY.payoutConfig, quorum: 1, quorumRules: steps }
    serve({ ...answers, [`GET ${P}/payout-config`]: () => ({ payoutConfig }) })
    renderScreen(<NewPayout projectId="7" />, '/withdraw/payouts/new?projectId=7')
    await userEvent.selectOptions(await screen.findByLabelText(/^To/), '5')
    const text = 'Every payout needs 1 approval, not yours; over $500.00, 2 approvals; over $5,000.00, 3 approvals'
    expect(await screen.findByText(text)).toBeDefined()
  })

  it('says what is missing, and that too little float only makes it wait', async () => {
    serve(answers)
    renderScreen(<NewPayout projectId="7" />, '/withdraw/payouts/new?projectId=7')
    await userEvent.click(await screen.findByRole('button', { name: 'Review payout' }))
    expect(await screen.findByText('Choose a recipient', { selector: '[id]' })).toBeDefined()
    expect(screen.getByText('Amount is required')).toBeDefined()
    await userEvent.selectOptions(screen.getByLabelText(/^To/), '5')
    await userEvent.type(screen.getByLabelText(/^Amount/), '5000')
    expect(await screen.findByText(/is available; the payout will wait/)).toBeDefined()
  })

  it('says why it would wait once it is decided, and reads what could not be read again', async () => {
    const waits = { code: 'VAULT_LOCKED', params: {}, text: '' }
    let isAway = true
    serve({
      ...answers,
      [`POST ${P}/withdrawals/quote`]: () =>
        isAway ? refusal(503, 'SERVICE_UNAVAILABLE', 'Kassa is busy.') : wireQuote({}, { waits, fee: null }),
    })
    renderScreen(<NewPayout projectId="7" />, '/withdraw/payouts/new?projectId=7')
    await userEvent.selectOptions(await screen.findByLabelText(/^To/), '5')
    await userEvent.type(screen.getByLabelText(/^Amount/), '800')
    expect(await screen.findByText(/Fee and approvals couldn’t be read/, {}, QUOTED)).toBeDefined()
    isAway = false
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('The vault of the hot wallet is locked')).toBeDefined()
    expect(screen.getByText('Not available at the moment')).toBeDefined()
  })

  it('says beforehand what the request would be refused for', async () => {
    serve({
      ...answers,
      [`POST ${P}/withdrawals/quote`]: () => refusal(400, 'ADDRESS_BLOCKED', 'This address cannot be paid.'),
    })
    renderScreen(<NewPayout projectId="7" />, '/withdraw/payouts/new?projectId=7')
    await userEvent.selectOptions(await screen.findByLabelText(/^To/), '5')
    await userEvent.type(screen.getByLabelText(/^Amount/), '800')
    expect(await screen.findByText('This address cannot be paid.', {}, QUOTED)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  })

  it('sends those without recipients to save one', async () => {
    serve({ ...answers, [`GET ${P}/recipients`]: () => wireRecipients([]) })
    renderScreen(<NewPayout projectId="7" />, '/withdraw/payouts/new?projectId=7')
    expect(await screen.findByText('No recipients yet')).toBeDefined()
  })
})
