import { describe, expect, it } from 'vitest'

import { parseDocument, textOf } from '../testing/document.ts'
import { fundedPayment, SAMPLES, sampleView } from '../testing/samples.ts'
import { renderReceipt } from './receipt.ts'
import type { CheckoutView } from './view.ts'

function draw(view: CheckoutView) {
  return parseDocument(renderReceipt(view).html)
}

function rows(document: ReturnType<typeof draw>): Record<string, string> {
  const pairs = [...document.querySelectorAll('.rows > div')].map((row) => [
    row.querySelector('dt')?.textContent ?? '',
    row.querySelector('dd')?.textContent ?? '',
  ])
  return Object.fromEntries(pairs) as Record<string, string>
}

describe('receipt', () => {
  it('proves what was asked, what was paid, how and when', () => {
    const document = draw(SAMPLES.paid)
    expect(document.querySelector('h1')?.textContent).toBe('Paid. Thank you')
    expect(rows(document)).toMatchObject({
      Description: 'Two bags of Ethiopia Guji, 250 g',
      'Customer e-mail': 'a…n@shop.example',
      Requested: '$49.00',
      Paid: '49 USDC on Base',
      Rate: '1 USDC = $1.00',
      Reference: SAMPLES.paid.payment.referenceID,
    })
    expect(textOf(document.querySelector('.words p'))).toBe('Acme · Invoice A-77 · 20 Nov 2026, 05:12 UTC')
    expect(rows(document)['Transaction']).toContain('9f3c…a01b')
  })

  it('names the reference once, and whom to write to', () => {
    const document = draw(SAMPLES.paid)
    expect(textOf(document.body).split(SAMPLES.paid.payment.referenceID)).toHaveLength(2)
    expect(textOf(document.querySelector('footer'))).toBe('Support: help@acme.example')
  })

  it('leaves out what the shop did not write', () => {
    const view = sampleView(
      fundedPayment('49', { paymentState: 'FILLED', description: '', invoiceID: SAMPLES.paid.payment.referenceID }),
    )
    const document = draw({ ...view, payerEmail: '' })
    expect(Object.keys(rows(document))).not.toContain('Description')
    expect(Object.keys(rows(document))).not.toContain('Customer e-mail')
    expect(textOf(document.body)).not.toContain('Invoice')
  })

  it('leads back to the shop by a link the customer presses', () => {
    const link = draw(SAMPLES.paid).querySelector('a.primary')
    expect([link?.textContent, link?.getAttribute('href')]).toEqual(['Back to Acme', 'https://acme.example/thanks'])
  })

  it('says that money is seen before it is final', () => {
    const document = draw(SAMPLES.confirming)
    expect(document.querySelector('h1')?.textContent).toBe('Seen. 3 of 12 confirmations')
    expect(rows(document)['Seen']).toBe('49 USDC on Base')
    expect(textOf(document.querySelector('.words p'))).toMatch(/^Acme · Invoice A-77 · /)
    expect(document.querySelector('progress')?.getAttribute('value')).toBe('3')
  })

  it('is mailed where mails leave: to the masked address of the customer, or to another', () => {
    expect(draw(SAMPLES.paid).querySelector('#mail')).toBeNull()
    const document = draw({ ...SAMPLES.paid, mailsReceipts: true })
    expect(textOf(document.querySelector('#mail-own'))).toBe('Send to a…n@shop.example')
    expect(document.querySelector('#mail')?.hasAttribute('open')).toBe(false)
    expect(draw({ ...SAMPLES.confirming, mailsReceipts: true }).querySelector('#mail')).toBeNull()
    const unnamed = draw({ ...SAMPLES.paid, mailsReceipts: true, payerEmail: '' })
    expect(unnamed.querySelector('#mail-own')).toBeNull()
    expect(unnamed.querySelector('#mail-address')?.getAttribute('type')).toBe('email')
  })

  it('says what became of the mail', () => {
    const view = { ...SAMPLES.paid, mailsReceipts: true }
    const sent = parseDocument(renderReceipt({ ...view, isMailed: true }).html)
    expect(textOf(sent.querySelector('.outcome [role=status]'))).toBe('The receipt is on its way by e-mail.')
    const refused = parseDocument(renderReceipt({ ...view, typed: 'me', error: { code: 'email', text: '' } }).html)
    expect(textOf(refused.querySelector('[role=alert]:not([hidden])'))).toBe('This is not a valid e-mail address.')
    const field = refused.querySelector('#mail-address')
    expect([field?.getAttribute('value'), field?.getAttribute('aria-describedby')]).toEqual(['me', 'mail-refusal'])
  })

  it('names what was paid beyond the request', () => {
    expect(rows(draw(SAMPLES.overpaid))['More than asked']).toBe('0.51 USDC')
  })

  it('lists every transfer', () => {
    const one = fundedPayment('24.5').deposits[0]
    const deposits = one === undefined ? [] : [one, { ...one, amount: '24.5' }]
    const view = sampleView(fundedPayment('49', { fundingState: 'confirming', deposits }))
    expect(rows(draw(view))['Seen']).toBe('49 USDC on Base')
    expect(draw(view).querySelectorAll('.rows .mono')).toHaveLength(3)
  })
})
