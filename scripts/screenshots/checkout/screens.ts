/** The payer's pages of a seeded shop. */
import { inSet, type Screen } from '../camera.ts'
import { press } from '../hand.ts'
import type { Seed } from '../seed.ts'

/** A payment that is being confirmed, for as long as it is. */
export function confirmingScreens({ shop }: Seed, reference: string): readonly Screen[] {
  return [
    { name: 'checkout-confirming', path: checkout(reference), set: 'A', shows: /confirmations|We see your payment/ },
    {
      name: 'drawer-confirming',
      path: `/project/${shop.project}/payments/allPayments?open=${reference}`,
      shows: /Confirming/,
      isOverlay: true,
    },
  ]
}

/** The payer's pages. */
export function checkoutScreens({ states }: Seed): readonly Screen[] {
  const page = (name: string, reference: string): Screen => ({ name, path: checkout(reference), shows: /\w/ })
  return [
    ...inSet('A', [
      page('checkout-choose', states.choose),
      page('checkout-waiting', states.waiting),
      page('checkout-paid', states.paid),
      page('checkout-partly', states.partly),
      page('checkout-expired', states.expired),
    ]),
    page('checkout-partly-lapsed', states.partlyLapsed),
    { name: 'refund-form', path: `/refund?reference_id=${states.late}`, shows: /Network|network/ },
    { name: 'refund-claimed', path: `/refund?reference_id=${states.overpaid}`, shows: /0x/ },
    page('checkout-overpaid', states.overpaid),
    page('checkout-late', states.late),
    page('checkout-superseded', states.superseded),
    page('checkout-cancelled', states.cancelled),
    page('checkout-reverted', states.reverted),
    page('checkout-unknown', '00000000-0000-7000-8000-000000000000'),
    {
      name: 'checkout-change',
      path: checkout(states.waiting),
      shows: 'Continue',
      act: (page) => page.getByText('Change', { exact: true }).click(),
    },
    {
      name: 'checkout-ask',
      path: checkout(states.waiting),
      shows: /is not a valid transaction hash|Not found yet|Too many attempts/,
      act: async (page) => {
        await page.getByText('I already paid').click()
        await page.getByRole('textbox', { name: 'Transaction hash' }).fill(`0x${'5a'.repeat(32)}`)
        await press(page, 'Find my payment')
      },
    },
    { name: 'checkout-compact', path: `/pay?reference_id=${states.waiting}`, shows: /Send exactly/ },
    { name: 'receipt', path: `/success?reference_id=${states.paid}`, shows: 'Paid. Thank you' },
    {
      name: 'receipt-mail',
      path: `/success?reference_id=${states.paid}`,
      shows: 'Send receipt',
      act: (page) => page.getByText('Receipt by e-mail').click(),
    },
  ]
}

const checkout = (reference: string) => `/payments?reference_id=${reference}`
