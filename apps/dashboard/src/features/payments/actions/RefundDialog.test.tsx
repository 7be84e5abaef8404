import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { me } from '../../../testing/answers.ts'
import { CHOSEN, paymentDetail } from '../../../testing/payment-answers.ts'
import { wirePayout, wireRecipient, wireRecipients } from '../../../testing/payout-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { stubServer } from '../../../testing/stub-server.ts'
import { PaymentHead } from '../detail/PaymentHead.tsx'
import { RefundDialog } from './RefundDialog.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const refundable = (amount: string) => [{ currencyCode: 'USDC', blockchainCode: 'BASE', amount, overpaid: '0' }]
const payment = (amount: string) =>
  paymentDetail({ ...CHOSEN, paymentState: 'FILLED', refundable: refundable(amount), refundClaim: null })

/** The dialog over a payment that a live update changes. */
function show(before: PaymentDetail, after: PaymentDetail, recipients: readonly object[] = [wireRecipient()]) {
  const calls = stubServer({
    'GET /member/me': () => me(),
    'GET /project/7/recipients': () => wireRecipients(recipients),
    'POST /project/7/admin/withdrawal': () => wirePayout(),
  })
  function Watched() {
    const [shown, setShown] = useState(before)
    return (
      <>
        <button onClick={() => setShown(after)}>update</button>
        <RefundDialog payment={shown} onClose={() => undefined} />
      </>
    )
  }
  renderScreen(<Watched />, '/project/7/payments/allPayments')
  return () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body)
}

const update = async () => userEvent.click(screen.getByText('update'))
const dialog = async () => within(await screen.findByRole('dialog', { name: 'Refund payment' }))

async function review() {
  const shown = await dialog()
  await waitFor(() => expect(shown.getByRole('option', { name: /Supplier A/ })).toBeDefined())
  await userEvent.selectOptions(shown.getByRole('combobox', { name: /^To/ }), '5')
  await userEvent.click(shown.getByRole('button', { name: 'Review refund' }))
  await shown.findByRole('button', { name: 'Create refund' })
  return shown
}

describe('payments: a refund', () => {
  it('is what was looked at, also when other facts of the payment change', async () => {
    const sent = show(payment('49'), { ...payment('49'), note: 'news' } as PaymentDetail)
    const shown = await review()
    await update()
    await userEvent.click(shown.getByRole('button', { name: 'Create refund' }))
    await waitFor(() => expect(sent()).toHaveLength(1))
    expect(sent()[0]).toMatchObject({ recipientID: 5, currencyCode: 'USDC', amount: '49', refundKind: 'full' })
  })

  it('is not sent once something else could be refunded than was looked at', async () => {
    const sent = show(payment('49'), payment('549'))
    const shown = await review()
    await update()
    expect(await shown.findByText(/^What can be refunded has changed meanwhile\./)).toBeDefined()
    expect(shown.getByText(/^49\sUSDC$/)).toBeDefined()
    await userEvent.click(shown.getByRole('button', { name: 'Create refund' }))
    await Promise.resolve()
    expect(sent()).toEqual([])
  })

  it('goes to no recipient of another network than the money is on', async () => {
    const onEth = { currencyCode: 'USDC', blockchainCode: 'ETH', amount: '7', overpaid: '0' }
    const two = { ...payment('49'), refundable: [...refundable('49'), onEth] }
    const sent = show(two, two)
    const shown = await dialog()
    await waitFor(() => expect(shown.getByRole('option', { name: /Supplier A/ })).toBeDefined())
    await userEvent.selectOptions(shown.getByRole('combobox', { name: /^To/ }), '5')
    await userEvent.selectOptions(shown.getByRole('combobox', { name: 'Currency' }), '1')
    await userEvent.click(shown.getByRole('button', { name: 'Review refund' }))
    await waitFor(() => expect(shown.getAllByText('Choose a recipient')).toHaveLength(2))
    expect(shown.queryByRole('button', { name: 'Create refund' })).toBeNull()
    expect(sent()).toEqual([])
  })

  it('is not of an overpaid part where the chosen money has none', async () => {
    const onEth = { currencyCode: 'USDC', blockchainCode: 'ETH', amount: '7', overpaid: '0' }
    const over = { currencyCode: 'USDC', blockchainCode: 'BASE', amount: '59', overpaid: '10' }
    const two = { ...payment('59'), refundable: [over, onEth] }
    const sent = show(two, two, [wireRecipient({ blockchainCode: 'ETH' })])
    const shown = await dialog()
    await userEvent.selectOptions(shown.getByRole('combobox', { name: 'Currency' }), '1')
    await waitFor(() => expect(shown.getByRole('option', { name: /Supplier A/ })).toBeDefined())
    await userEvent.selectOptions(shown.getByRole('combobox', { name: /^To/ }), '5')
    expect(shown.getByRole<HTMLInputElement>('radio', { name: /^Everything received/ }).checked).toBe(true)
    await userEvent.click(shown.getByRole('button', { name: 'Review refund' }))
    await userEvent.click(await shown.findByRole('button', { name: 'Create refund' }))
    await waitFor(() => expect(sent()).toMatchObject([{ amount: '7', refundKind: 'full' }]))
  })

  it('that was requested stands on the payment with what it waits for, and leads to the payout', async () => {
    stubServer({ 'GET /member/me': () => me() })
    const waits = {
      code: 'APPROVAL',
      params: { given: 0, needed: 1, able: 1, permission: 'payout:approve' },
      text: 'Needs 1 approval.',
    }
    const refund = Withdrawal.parse(wirePayout({ amount: '10', status: 'pending-approval', waits }))
    renderScreen(<PaymentHead payment={{ ...payment('39'), refunds: [refund] }} />, '/project/7/payments/allPayments')
    const noted = within(await screen.findByRole('region', { name: 'Refunds' }))
    expect(noted.getByText(/^Refund of .*10\sUSDC.* to Supplier A$/)).toBeDefined()
    expect(noted.getByText('Needs 1 approval')).toBeDefined()
    const link = await noted.findByRole('link', { name: 'Follow it' })
    expect(link.getAttribute('href')).toContain(`open=${refund.id}`)
  })

  it('of the rest is not called a refund of everything that was received', async () => {
    const refund = Withdrawal.parse(wirePayout({ amount: '10' }))
    const rest = { ...payment('39'), refunds: [refund] }
    show(rest, rest)
    const shown = await dialog()
    expect(shown.getByRole('radio', { name: /^Everything that is left/ })).toBeDefined()
    expect(shown.queryByRole('radio', { name: /^Everything received/ })).toBeNull()
  })
})
