import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { me, sandboxConfiguration } from '../../../testing/answers.ts'
import { paymentDetail, reference, wireDetail } from '../../../testing/payment-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { type Answers, stubServer } from '../../../testing/stub-server.ts'
import { PaymentDrawer } from '../PaymentDrawer.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(payment: PaymentDetail, answers: Answers = {}) {
  const calls = stubServer({
    'GET /member/me': () => me(),
    'GET /configuration/default': () => sandboxConfiguration,
    'GET /external-platform/7/webhook': () => [],
    [`GET /external-platform/7/payment/${reference(1)}`]: () => wireDetail(payment),
    ...answers,
  })
  renderScreen(
    <PaymentDrawer projectId="7" reference={reference(1)} listed={[]} />,
    `/project/7/payments/allPayments?open=${reference(1)}`,
  )
  return { calls }
}

describe('ExtendDialog', () => {
  it('extends an open link by a choice or to a time, and says until when it can be paid', async () => {
    const extend = `POST /external-platform/7/payment/${reference(1)}/extend`
    const end = new Date('2026-02-03T09:30:00.000Z')
    const link = paymentDetail({ expiresAt: new Date(Date.now() + 2 * 3_600_000) })
    const { calls } = open(link, { [extend]: () => wireDetail({ ...link, expiresAt: end }) })
    const sent = () => calls.filter(({ path }) => path.endsWith('/extend')).map(({ body }) => body)
    const item = await screen.findByRole('menuitem', { name: 'Extend link', hidden: true })
    await userEvent.click(item)
    const dialog = within(await screen.findByRole('dialog', { name: 'Extend this link?' }))
    expect(dialog.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)).toEqual([
      '24 hours',
      '7 days',
      'Another time',
    ])
    await userEvent.click(dialog.getByRole('button', { name: 'Extend link' }))
    expect(await screen.findByText('The link can be paid until 3 Feb 2026, 09:30.')).toBeDefined()
    await userEvent.click(item)
    const again = within(await screen.findByRole('dialog', { name: 'Extend this link?' }))
    await userEvent.click(again.getByRole('radio', { name: 'Another time' }))
    await userEvent.click(again.getByRole('button', { name: 'Extend link' }))
    expect(again.getByText('Choose day and time.')).toBeDefined()
    fireEvent.change(again.getByLabelText('Until'), { target: { value: '2026-02-03T09:30' } })
    await userEvent.click(again.getByRole('button', { name: 'Extend link' }))
    await waitFor(() => expect(sent()).toEqual([{ expiresInMinutes: 1440 }, { expiresAt: end.toISOString() }]))
  })

  it('says of a part that its rate holds to the new end', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000)
    open(paymentDetail({ paymentState: 'PARTIALLY_FILLED', fundingState: 'confirmed', expiresAt }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Extend link', hidden: true }))
    expect(await screen.findByText(/until the new end, at the rate of the first part\.$/)).toBeDefined()
  })

  it('says why a link cannot be extended', async () => {
    open(paymentDetail({ expiresAt: new Date(Date.now() - 1) }))
    const item = await screen.findByRole('menuitem', { name: /Extend link/, hidden: true })
    expect(item.textContent).toContain('It has ended already.')
  })
})
