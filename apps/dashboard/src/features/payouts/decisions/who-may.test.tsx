import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { me, project } from '../../../testing/answers.ts'
import { WIRE_METRICS, wirePayout, wirePayoutDetail, wirePayouts } from '../../../testing/payout-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { type Answers, stubServer } from '../../../testing/stub-server.ts'
import { Approvals } from '../Approvals.tsx'
import { Payouts } from '../Payouts.tsx'

const P = '/project/7'

beforeEach(() => {
  localStorage.clear()
  window.innerWidth = 1300
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const serve = (answers: Answers) =>
  stubServer({
    'GET /member/me': () => me('root'),
    'GET /external-platform/all': () => [project(7, 'Acme')],
    [`GET ${P}/withdrawals/metrics`]: () => WIRE_METRICS,
    ...answers,
  })

describe('a payout that nobody is left to approve', () => {
  it('is offered to nobody, and says what to do', async () => {
    const payout = {
      approvals: { required: 1, given: [], byOthersOnly: true },
      waits: { code: 'APPROVAL', params: { given: 0, needed: 1, able: 0, permission: 'payout:approve' }, text: '' },
    }
    serve({
      [`GET ${P}/withdrawals`]: () => wirePayouts([wirePayout(payout)]),
      [`GET ${P}/withdrawal/12`]: () => wirePayoutDetail(payout),
    })
    renderScreen(<Payouts projectId="7" />, '/withdraw/payouts?projectId=7&open=12')
    const drawer = within(await screen.findByRole('dialog', { name: 'Payout 12' }))
    expect((await drawer.findByRole('link', { name: 'Open members' })).parentElement?.textContent).toBe(
      'Needs 1 approval; nobody is left who may approve. Give a member a role with payout:approve, or cancel the payout. Open members',
    )
    for (const name of ['Reject', 'Cancel payout']) expect(drawer.getByRole('button', { name })).toBeDefined()
    expect(drawer.queryByRole('button', { name: 'Approve' })).toBeNull()
  })
})

describe('a payout that others must approve', () => {
  it('offers no approval that a stricter policy has withheld since', async () => {
    const approvals = { required: 1, given: [], byOthersOnly: true }
    const rows = [wirePayout({ approvals }), wirePayout({ id: 13 })]
    serve({ [`GET ${P}/withdrawals`]: (_call, query) => wirePayouts(query.get('waitingFor') === 'me' ? rows : []) })
    renderScreen(<Approvals projectId="7" />, '/withdraw/approvals?projectId=7')
    const others = within(await screen.findByRole('region', { name: 'Waits for others' }))
    expect(others.getByText('Someone else must approve a payout you created.')).toBeDefined()
    expect(screen.getByText('1 waits for you')).toBeDefined()
    expect(screen.getAllByRole('button', { name: 'Approve' })).toHaveLength(1)
    expect(screen.queryByRole('button', { name: 'Approve several' })).toBeNull()
  })
})
