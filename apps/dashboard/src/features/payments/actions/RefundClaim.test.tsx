import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { me } from '../../../testing/answers.ts'
import { CHOSEN, paymentDetail, reference, wireDetail } from '../../../testing/payment-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import { NeedsAttention } from '../detail/NeedsAttention.tsx'
import { RefundClaimNote } from '../detail/RefundClaimNote.tsx'
import { type Claim, sourceOfClaim, toRefund } from './refund.ts'

const PATH = `/external-platform/7/payment/${reference(1)}`
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

const claim: Claim = {
  id: 4,
  blockchainCode: 'BASE',
  address: ADDRESS,
  status: 'open',
  claimedAt: new Date(0),
  declinedNote: null,
}

const overpaid = (changes: Partial<PaymentDetail> = {}) =>
  paymentDetail({
    ...CHOSEN,
    paymentState: 'OVER_FILLED',
    refundable: [{ currencyCode: 'USDC', blockchainCode: 'BASE', amount: '49.51', overpaid: '0.51' }],
    refundClaim: claim,
    ...changes,
  })

const saved = {
  id: 12,
  name: 'Ann',
  email: 'ann@example.com',
  mobileNumber: null,
  residentialAddress: null,
  blockchainCode: 'BASE',
  address: ADDRESS,
  status: 'active',
  projectIDs: [7],
  createdAt: new Date(0).toISOString(),
  updatedAt: new Date(0).toISOString(),
  payableFrom: new Date(0).toISOString(),
  earlierPayouts: 0,
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function show(payment: PaymentDetail, recipients: object[] = [], answers: object = {}) {
  const page = { recipients, data: recipients, total: recipients.length, limit: 100, offset: 0, nextCursor: null }
  const calls = stubServer({
    'GET /member/me': () => me(),
    'GET /project/7/recipients': () => page,
    [`GET ${PATH}`]: () => wireDetail(payment),
    ...answers,
  })
  renderScreen(<RefundClaimNote payment={payment} />, '/project/7/payments/allPayments')
  return calls
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

describe('payments: a claimed refund', () => {
  it('is shown whole and as unverified, and only while it is open', async () => {
    show(overpaid())
    const note = await screen.findByRole('region', { name: 'Claimed refund' })
    expect(note.textContent).toContain('Named by whoever has the payment’s link, not verified.')
    expect(note.textContent?.replaceAll(/\s/g, '')).toContain(ADDRESS)
    cleanup()
    show(overpaid({ refundClaim: { ...claim, status: 'accepted' } }))
    await Promise.resolve()
    expect(screen.queryByRole('region', { name: 'Claimed refund' })).toBeNull()
  })

  it('stands above the issues from the first moment: nothing moves because it comes later', async () => {
    stubServer({ 'GET /member/me': () => me() })
    const shown: string[] = []
    const watcher = new MutationObserver(() => {
      const labels = [...document.querySelectorAll('section')].map((one) => one.getAttribute('aria-label'))
      if (labels.length > 0) shown.push(labels.join(', '))
    })
    watcher.observe(document.body, { childList: true, subtree: true })
    renderScreen(<NeedsAttention payment={overpaid()} />, '/project/7/payments/allPayments')
    await screen.findByRole('region', { name: 'Needs you' })
    watcher.disconnect()
    expect(shown[0]).toBe('Claimed refund, Needs you')
  })

  it('chooses its recipient where the address is saved', async () => {
    show(overpaid(), [saved])
    await press('Refund…')
    const dialog = await screen.findByRole('dialog', { name: 'Refund payment' })
    await waitFor(() =>
      expect(within(dialog).getByRole<HTMLSelectElement>('combobox', { name: /^To/ }).value).toBe('12'),
    )
    expect(within(dialog).queryByRole('link', { name: 'Save it as a recipient first' })).toBeNull()
  })

  it('leads to the address book, filled in, where the address is not saved', async () => {
    show(overpaid())
    await press('Refund…')
    const link = await screen.findByRole('link', { name: 'Save it as a recipient first' })
    expect(link.getAttribute('href')).toContain(`newNetwork=BASE&newAddress=${ADDRESS}`)
  })

  it('is declined as it was looked at, with a note', async () => {
    const calls = show(overpaid(), [], {
      [`POST ${PATH}/refund-claim/decline`]: () =>
        refusal(409, 'REFUND_CLAIM_CHANGED', 'The payer named another address meanwhile, or the claim is decided.'),
    })
    await press('Decline…')
    const dialog = await screen.findByRole('dialog', { name: 'Decline the refund?' })
    await userEvent.type(within(dialog).getByRole('textbox', { name: /Note/ }), 'Call us')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Decline refund' }))
    expect(await within(dialog).findByText(/named another address meanwhile/)).toBeDefined()
    expect(calls.find(({ path }) => path.endsWith('/decline'))?.body).toEqual({ claimID: 4, note: 'Call us' })
  })

  it('goes with the refund that pays it, of an unmatched deposit too', () => {
    const unmatched = { id: 31, status: 'unapplied', currencyCode: 'USDT', blockchainCode: 'BASE', amount: '5' }
    const payment = overpaid({
      refundable: [{ currencyCode: 'USDC', blockchainCode: 'ETH', amount: '10', overpaid: '0' }],
      transfers: [unmatched as PaymentDetail['transfers'][number]],
    })
    const source = sourceOfClaim(payment, claim)
    expect(source).toBe('1')
    const values = { source, kind: 'full', amount: '', recipientID: '12', note: '' } as const
    expect(toRefund(payment, values, claim)).toMatchObject({
      amount: '5',
      currencyCode: 'USDT',
      refundKind: 'unapplied',
      refundDepositID: 31,
      refundClaimID: 4,
    })
    expect(toRefund(payment, values, null)).not.toHaveProperty('refundClaimID')
  })
})
