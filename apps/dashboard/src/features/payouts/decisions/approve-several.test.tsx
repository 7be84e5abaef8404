import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { me, project } from '../../../testing/answers.ts'
import { wirePayout, wirePayouts } from '../../../testing/payout-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../../../testing/stub-server.ts'
import { Approvals } from '../Approvals.tsx'

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
    'GET /project/7/withdrawals': (_call, query) =>
      wirePayouts(query.get('waitingFor') === 'me' ? [12, 13, 14].map((id) => wirePayout({ id })) : []),
    ...answers,
  })
const open = async () => {
  renderScreen(<Approvals projectId="7" />, '/withdraw/approvals?projectId=7')
  await userEvent.click(await screen.findByRole('button', { name: 'Approve several' }))
  return within(await screen.findByRole('dialog', { name: 'Approve these payouts?' }))
}
const answer = { digest: 'ab', words: 'amber lotus seven drum' }

describe('several payouts approved together', () => {
  it('are all chosen at first, and one that is left out is not approved', async () => {
    const calls = serve({
      'POST /withdrawals/approve': () => ({
        ...answer,
        payouts: [
          { id: 12, status: 'pending' },
          { id: 14, status: 'pending-approval' },
        ],
      }),
    })
    const dialog = await open()
    expect(dialog.getByRole('button', { name: 'Approve 3 payouts' })).toBeDefined()
    await userEvent.click(dialog.getAllByRole('checkbox')[1] as HTMLElement)
    await userEvent.click(dialog.getByRole('button', { name: 'Approve 2 payouts' }))
    expect(await screen.findByText('2 payouts approved. 1 needs more approvals.')).toBeDefined()
    expect(calls.filter(({ path }) => path === '/withdrawals/approve').map(({ body }) => body)).toEqual([
      { ids: [12, 14] },
    ])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('says because of which none was approved', async () => {
    serve({
      'POST /withdrawals/approve': () =>
        refusal(409, 'PAYOUT_NOT_PENDING', 'This payout is no longer waiting.', { data: { payoutID: 13 } }),
    })
    const dialog = await open()
    await userEvent.click(dialog.getByRole('button', { name: 'Approve 3 payouts' }))
    const why = 'None was approved, because of payout 13: Another operator has decided about this payout already.'
    expect(await dialog.findByText(why)).toBeDefined()
  })

  it('say of which of them the promoter has another e-mail', async () => {
    const waitsNext = { code: 'EMAIL_CHANGED', params: { until: '2026-11-20T05:14:00.000Z' }, text: '' }
    serve({
      'GET /project/7/withdrawals': (_call, query) =>
        wirePayouts(
          query.get('waitingFor') === 'me' ? [wirePayout({ id: 12 }), wirePayout({ id: 13, waitsNext })] : [],
        ),
    })
    const dialog = await open()
    expect(dialog.getAllByText(/^The promoter’s e-mail was changed: payable from .* · 0x5aAe b605/)).toHaveLength(1)
  })

  it('cannot be none', async () => {
    serve({})
    const dialog = await open()
    for (const box of dialog.getAllByRole('checkbox')) await userEvent.click(box)
    const off = dialog.getByRole('button', { name: 'Approve 0 payouts' })
    expect(off.getAttribute('aria-disabled')).toBe('true')
    expect(dialog.getByText('Choose at least one payout')).toBeDefined()
  })
})
