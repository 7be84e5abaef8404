/** Every screen there is, with what must be pressed to see it. */
import type { Page } from 'playwright-core'

import { OWNER } from '../../e2e/shop.ts'
import type { Screen } from './camera.ts'
import type { Seed } from './seed.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
const type = (page: Page, name: string, text: string) => page.getByRole('textbox', { name, exact: true }).fill(text)

/** Before anybody has an account. */
export const freshScreens: readonly Screen[] = [
  { name: 'landing-fresh', path: '/', shows: 'Set up this server' },
  { name: 'sign-up', path: '/signup', shows: 'Create account' },
  {
    name: 'sign-up-errors',
    path: '/signup',
    shows: 'Passwords do not match',
    act: async (page) => {
      await type(page, 'E-mail', 'owner')
      await type(page, 'Password', 'correct')
      await type(page, 'Confirm password', 'horse')
      await button(page, 'Create account')
    },
  },
]

/** With an account, signed out. */
export const publicScreens: readonly Screen[] = [
  { name: 'landing', path: '/', shows: 'Sign in' },
  { name: 'sign-in', path: '/login', shows: 'Forgot password?' },
  {
    name: 'sign-in-field-errors',
    path: '/login',
    shows: 'Password is required',
    act: async (page) => {
      await type(page, 'E-mail', 'owner')
      await button(page, 'Sign in')
    },
  },
  {
    name: 'sign-in-refused',
    path: '/login',
    shows: /password/i,
    act: async (page) => {
      await type(page, 'E-mail', OWNER.email)
      await type(page, 'Password', 'Wrong.Horse9')
      await button(page, 'Sign in')
      await page.getByRole('alert').filter({ hasText: /\w/ }).first().waitFor()
    },
  },
  { name: 'forgot-password', path: '/forgotPassword', shows: /\w/ },
  { name: 'privacy-policy', path: '/privacy-policy', shows: 'Privacy Policy' },
]

/** Signed in, nothing made yet. */
export const firstScreens: readonly Screen[] = [
  { name: 'dashboard-first', path: '/project/all/dashboard', shows: 'Setup guide' },
  { name: 'deposit-wallets-none', path: '/manageWallet/deposit-wallet', shows: 'Not set up' },
  {
    name: 'add-project',
    path: '/project/all/dashboard',
    shows: 'Name of your project',
    isOverlay: true,
    act: async (page) => {
      await button(page, 'Create a project')
      await type(page, 'Name of your project', 'Acme Coffee')
    },
  },
]

/** A payment that is being confirmed, for as long as it is. */
export function confirmingScreens({ shop }: Seed, reference: string): readonly Screen[] {
  return [
    { name: 'checkout-confirming', path: checkout(reference), shows: /confirmations|We see your payment/ },
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
    page('checkout-choose', states.choose),
    page('checkout-waiting', states.waiting),
    page('checkout-paid', states.paid),
    page('checkout-partly', states.partly),
    page('checkout-partly-lapsed', states.partlyLapsed),
    page('checkout-overpaid', states.overpaid),
    page('checkout-late', states.late),
    page('checkout-expired', states.expired),
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
      shows: /is not a valid transaction hash|Not found yet|That was often/,
      act: async (page) => {
        await page.getByText('I already paid').click()
        await page.getByRole('textbox', { name: 'Transaction hash' }).fill(`0x${'5a'.repeat(32)}`)
        await button(page, 'Find my payment')
      },
    },
    { name: 'checkout-compact', path: `/pay?reference_id=${states.waiting}`, shows: /Send exactly/ },
    { name: 'receipt', path: `/success?reference_id=${states.paid}`, shows: 'Paid. Thank you' },
  ]
}

const checkout = (reference: string) => `/payments?reference_id=${reference}`
