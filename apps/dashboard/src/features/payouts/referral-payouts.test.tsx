import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { me, project } from '../../testing/answers.ts'
import { wirePayout, wirePayouts } from '../../testing/payout-answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../../testing/stub-server.ts'
import { Approvals } from './Approvals.tsx'
import { ReferralPayouts } from './ReferralPayouts.tsx'

const LIST = 'GET /external-platform/7/referral/payouts'
const MINIMUM = '/configuration/key/withdrawal-payout-min-amount'

beforeEach(() => {
  localStorage.clear()
  window.innerWidth = 1300
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const row = (id: number, more: object = {}) =>
  wirePayout({
    ...{
      id,
      type: 'withdrawal',
      amount: '40',
      amountInUSD: '40.00',
      recipientName: 'K7Q2M9A',
      note: '',
      recipientID: null,
    },
    referrer: { id: 3, code: 'K7Q2M9A', email: `ann${id}@people.example` },
    ...{ rewardAmount: '40', rewardCurrencyCode: 'USD', availableBefore: '120', isPayerWallet: false },
    approvals: { required: 1, given: [], byOthersOnly: false },
    ...more,
  })
const setting = {
  id: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  description: '',
  encrypt: false,
}
const serve = (answers: Answers, role = 'root') =>
  stubServer({
    'GET /member/me': () => me(role),
    'GET /external-platform/all': () => [project(7, 'Acme')],
    [`${LIST}/metrics`]: () => ({ waiting: 1, processed30d: '1240.50', failed30d: 0 }),
    [`GET ${MINIMUM}`]: () => ({ ...setting, key: 'withdrawal-payout-min-amount', value: '10', overrideValue: null }),
    ...answers,
  })
const show = () => renderScreen(<ReferralPayouts projectId="7" />, '/withdraw/referral-payouts?projectId=7')

describe('referral payouts', () => {
  it('shows who asked for what, and warns of a wallet that paid', async () => {
    serve({ [LIST]: () => wirePayouts([row(12), row(13, { isPayerWallet: true, status: 'processed' })]) })
    show()
    const table = within(await screen.findByRole('table', { name: 'Referral payouts' }))
    expect(await table.findByText('ann12@people.example')).toBeDefined()
    expect(table.getByText('A customer they referred paid from here')).toBeDefined()
    expect(await screen.findByText('Minimum payout $10.00')).toBeDefined()
    expect(await screen.findByText('$1,240.50')).toBeDefined()
    expect(table.getAllByRole('button', { name: 'Approve' })).toHaveLength(1)
  })

  it('warns of a changed e-mail before the decision, and leaves it out of those to approve one by one', async () => {
    const waitsNext = { code: 'EMAIL_CHANGED', params: { until: '2026-11-20T05:14:00.000Z' }, text: '' }
    serve({ [LIST]: () => wirePayouts([row(12, { waitsNext })]) })
    show()
    await userEvent.click(await screen.findByRole('button', { name: 'Approve' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Approve this payout?' }))
    expect(dialog.getByText(/The promoter’s e-mail was changed: payable from/)).toBeDefined()
    expect(screen.getAllByText(/The promoter’s e-mail was changed/)).toHaveLength(2)
    expect(screen.queryByRole('button', { name: 'Approve next' })).toBeNull()
  })

  it('walks the clean ones one by one, the oldest first', async () => {
    const calls: string[] = []
    serve({
      // The oldest that waits for the operator is on no page that the list shows.
      [LIST]: (_call, query) =>
        query.get('waitingFor') === 'me'
          ? wirePayouts([row(11, { isPayerWallet: true }), row(12), row(13)])
          : wirePayouts([row(14), row(13)]),
      'POST /withdrawal/12/approve': () => {
        calls.push('12')
        return wirePayout({ id: 12, status: 'pending', type: 'withdrawal' })
      },
    })
    show()
    await userEvent.click(await screen.findByRole('button', { name: 'Approve next' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Approve payout' }))
    expect(await screen.findByText(/Approved\. The payout is sent/)).toBeDefined()
    expect(calls).toEqual(['12'])
  })

  it('saves what the filter lets through as CSV, all its pages', async () => {
    const saved: Blob[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      saved.push(file as Blob)
      return 'blob:export'
    })
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    const asked: (string | null)[] = []
    serve({
      [LIST]: (_call, query) => {
        if (query.get('limit') === '200') asked.push(query.get('cursor'))
        const isSecond = query.get('cursor') === 'second'
        return { ...wirePayouts([row(isSecond ? 13 : 12)]), nextCursor: isSecond ? null : 'second' }
      },
    })
    show()
    await userEvent.click(await screen.findByRole('button', { name: 'Export CSV' }))
    expect(await screen.findByText('Referral payouts saved as CSV')).toBeDefined()
    const [head, first, second] = (await saved[0]?.text())?.split('\r\n') ?? []
    expect(head).toMatch(/^id,project,promoter_code,promoter_email,status,/)
    expect(first).toMatch(/^12,Acme,K7Q2M9A,ann12@people\.example,pending-approval,.*,40,USD,120,40,USDC,BASE,40\.00,/)
    expect(second).toMatch(/^13,/)
    expect(asked).toEqual([null, 'second'])
    vi.restoreAllMocks()
  })

  it('asks why one is rejected, because the promoter reads it', async () => {
    serve({ [LIST]: () => wirePayouts([row(12)]) })
    show()
    await userEvent.click(await screen.findByRole('button', { name: 'Reject' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Reject payout' }))
    expect(await screen.findByText('Say why, for the promoter')).toBeDefined()
    cleanup()
    serve({
      'GET /project/7/withdrawals': (_call, query) => wirePayouts(query.get('waitingFor') === 'me' ? [row(12)] : []),
    })
    renderScreen(<Approvals projectId="7" />, '/withdraw/approvals?projectId=7')
    await userEvent.click(await screen.findByRole('button', { name: 'Reject' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Reject payout' }))
    expect(await screen.findByText('Say why, for the promoter')).toBeDefined()
  })

  it('offers no decision to operators who only read', async () => {
    serve({ [LIST]: () => wirePayouts([row(12)]) }, 'auditor')
    show()
    expect(await screen.findByText('ann12@people.example')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Approve next' })).toBeNull()
  })

  it('is empty by its nature, or fails with a way to try again', async () => {
    serve({ [LIST]: () => wirePayouts([]) })
    show()
    expect(await screen.findByText('No promoter has asked for a payout.')).toBeDefined()
    cleanup()
    serve({ [LIST]: () => refusal(500, 'INTERNAL_ERROR', 'Something went wrong') })
    show()
    expect(await screen.findByText('Referral payouts couldn’t be loaded')).toBeDefined()
  })
})
