import type { Permission } from '@kassa/contract/permissions.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ReactNode } from 'react'

import { parseSearch } from '../lib/navigation/search.ts'
import { type AnyPath, paths } from '../lib/paths.ts'
import { SPEC_TEXTS } from '../lib/text/spec-texts.ts'
import type { MenuEntryName } from './navigation/menu-entries.ts'

/** What stands around a page: the public header, nothing at all, or the frame of those who are signed in. */
export type Layout = 'public' | 'bare' | 'shell'

/** Where the menu shows a page. */
export type NavPlace = {
  /** It is what the entry itself opens, or stands below it. */
  readonly entry: MenuEntryName
  /** Lights the link below the entry while it is part of the lower-cased path (specification §2); absent where the menu has none. */
  readonly leaf?: string
  /** The entry's own page. */
  readonly isEntry?: true
  /** Its name in the menu where that says less than its title. */
  readonly label?: MessageDescriptor
  /** What seeing the link needs where that is more than reading the page. */
  readonly permission?: Permission
  readonly query?: Readonly<Record<string, string>>
}

/** A file of `routes`. */
type RouteFile = { readonly [Name in `${string}Route`]: () => ReactNode }

export type Page = {
  readonly path: AnyPath
  readonly layout: Layout
  /** Its title and its last breadcrumb. */
  readonly title: MessageDescriptor
  /** What reading it needs. */
  readonly permission?: Permission
  readonly nav?: NavPlace
  /** Its name in the command palette where the menu does not lead there. */
  readonly command?: MessageDescriptor
  /** Its screen says what it will hold. */
  readonly isPlanned?: true
  /** Names one file of `routes`, after which the build names its program; the page is what it exports as `…Route`. */
  readonly load: () => Promise<RouteFile>
  /** What its own program may weigh beside its frame, in kB (gzip), at most 40; `npm run check` weighs it. */
  readonly budget: number
}

function page(definition: Page): Page {
  return definition
}

/** A page that is announced and not built: what it will hold stands in `features/planned`. */
function plannedPage(definition: Omit<Page, 'isPlanned' | 'load' | 'budget'>): Page {
  const load = () => import('../routes/planned.tsx')
  return page({ ...definition, isPlanned: true, load, budget: 6 })
}

/** Whoever opens it is told when it did not come. */
async function fetchOpenedPayment(): Promise<void> {
  await import('../routes/payment-detail.tsx').catch(() => undefined)
}

/** Every page of the dashboard: read by the router, the menu, the palette, the titles, the guards and the check of bytes. */
export const PAGES: readonly Page[] = [
  page({
    path: paths.landing,
    layout: 'public',
    title: msg`Crypto payments`,
    load: () => import('../routes/landing.tsx'),
    budget: 8,
  }),
  page({
    path: paths.signIn,
    layout: 'public',
    title: msg`Sign in`,
    load: () => import('../routes/login.tsx'),
    budget: 13,
  }),
  page({
    path: paths.signUp,
    layout: 'public',
    title: msg`Create the first account`,
    load: () => import('../routes/signup.tsx'),
    budget: 14,
  }),
  page({
    path: paths.signOut,
    layout: 'public',
    title: msg`Signing out`,
    load: () => import('../routes/logout.tsx'),
    budget: 3,
  }),
  page({
    path: paths.forgotPassword,
    layout: 'public',
    title: msg`Forgot password`,
    load: () => import('../routes/forgot-password.tsx'),
    budget: 15,
  }),
  page({
    path: paths.createPassword,
    layout: 'public',
    title: msg`Create a new password`,
    load: () => import('../routes/create-password.tsx'),
    budget: 17,
  }),
  page({
    path: paths.setPassword,
    layout: 'public',
    title: msg`Set your password`,
    load: () => import('../routes/set-password.tsx'),
    budget: 17,
  }),
  page({
    path: paths.secondFactor,
    layout: 'public',
    title: msg`Add a second factor`,
    load: () => import('../routes/second-factor.tsx'),
    budget: 20,
  }),
  page({
    path: paths.privacyPolicy,
    layout: 'public',
    title: SPEC_TEXTS.privacyPolicy,
    load: () => import('../routes/privacy-policy.tsx'),
    budget: 3,
  }),
  page({
    path: paths.cookiePolicy,
    layout: 'public',
    title: SPEC_TEXTS.cookiePolicy,
    load: () => import('../routes/cookie-policy.tsx'),
    budget: 3,
  }),
  plannedPage({ path: paths.referral, layout: 'bare', title: msg`Your referrals` }),

  page({
    path: paths.dashboard,
    layout: 'shell',
    title: msg`Dashboard`,
    permission: 'analytics:read',
    nav: { entry: 'dashboard', isEntry: true },
    load: () => import('../routes/project-dashboard.tsx'),
    budget: 35,
  }),
  page({
    path: paths.payments,
    layout: 'shell',
    title: msg`All payments`,
    permission: 'payment:read',
    nav: { entry: 'payments', leaf: 'allpayments' },
    load: () => {
      // A link to an open payment: its program comes beside the list's, not after it.
      if (parseSearch(location.search).open !== undefined) void fetchOpenedPayment()
      return import('../routes/all-payments.tsx')
    },
    budget: 38,
  }),
  page({
    path: paths.payment,
    layout: 'shell',
    title: msg`Payment`,
    permission: 'payment:read',
    nav: { entry: 'payments' },
    load: () => import('../routes/payment-detail.tsx'),
    budget: 38,
  }),
  page({
    path: paths.createPayment,
    layout: 'shell',
    title: msg`Create payment link`,
    permission: 'payment:create',
    nav: { entry: 'payments', leaf: 'createpaymentlink' },
    load: () => import('../routes/create-payment-link.tsx'),
    budget: 22,
  }),
  plannedPage({
    path: paths.growth,
    layout: 'shell',
    title: msg`Growth dashboard`,
    permission: 'referral:read',
    nav: { entry: 'growth', leaf: 'growth/analytics', label: msg`Dashboard` },
  }),
  plannedPage({
    path: paths.campaigns,
    layout: 'shell',
    title: msg`Campaigns`,
    permission: 'referral:read',
    nav: { entry: 'growth', leaf: 'growth/campaigns' },
  }),

  page({
    path: paths.depositWallets,
    layout: 'shell',
    title: msg`Deposit wallets`,
    permission: 'wallet:read',
    nav: { entry: 'wallets', leaf: 'managewallet/deposit-wallet' },
    load: () => import('../routes/deposit-wallet.tsx'),
    budget: 20,
  }),
  plannedPage({
    path: paths.hotWallets,
    layout: 'shell',
    title: msg`Hot wallets`,
    permission: 'wallet:read',
    nav: { entry: 'wallets', leaf: 'managewallet/hot-wallet' },
  }),
  plannedPage({
    path: paths.deploySweepContract,
    layout: 'shell',
    title: msg`Deploy sweep contract`,
    permission: 'wallet:read',
    nav: { entry: 'wallets' },
  }),
  plannedPage({
    path: paths.sweeps,
    layout: 'shell',
    title: msg`Funds Consolidation`,
    permission: 'sweep:read',
    nav: { entry: 'sweeps', isEntry: true, query: { tabId: 'Funds' } },
  }),
  plannedPage({
    path: paths.referralPayouts,
    layout: 'shell',
    title: msg`Referral payouts`,
    permission: 'payout:read',
    nav: { entry: 'withdraw', leaf: 'withdraw/referral-payouts' },
  }),
  plannedPage({
    path: paths.payouts,
    layout: 'shell',
    title: msg`Payouts`,
    permission: 'payout:read',
    nav: { entry: 'withdraw', leaf: 'withdraw/payouts' },
  }),
  plannedPage({
    path: paths.approvals,
    layout: 'shell',
    title: msg`Approvals`,
    permission: 'payout:read',
    nav: { entry: 'withdraw', leaf: 'withdraw/approvals' },
  }),
  page({
    path: paths.recipients,
    layout: 'shell',
    title: msg`Recipients`,
    permission: 'recipient:read',
    nav: { entry: 'withdraw', leaf: 'withdraw/recipients' },
    load: () => import('../routes/recipients.tsx'),
    budget: 22,
  }),

  page({
    path: paths.developers,
    layout: 'shell',
    title: msg`Developers`,
    nav: { entry: 'developers', isEntry: true, permission: 'api_key:read' },
    load: () => import('../routes/developers.tsx'),
    budget: 38,
  }),
  page({
    path: paths.settings,
    layout: 'shell',
    title: msg`Settings`,
    nav: { entry: 'settings', isEntry: true },
    load: () => import('../routes/settings.tsx'),
    budget: 6,
  }),
  page({
    path: paths.projectSettings,
    layout: 'shell',
    title: msg`Project settings`,
    permission: 'project:read',
    nav: { entry: 'settings' },
    load: () => import('../routes/project-settings.tsx'),
    budget: 18,
  }),
  page({
    path: paths.profile,
    layout: 'shell',
    title: msg`Profile`,
    nav: { entry: 'settings' },
    load: () => import('../routes/profile.tsx'),
    budget: 12,
  }),
  page({
    path: paths.security,
    layout: 'shell',
    title: msg`Security`,
    nav: { entry: 'settings' },
    command: msg`Security`,
    load: () => import('../routes/security.tsx'),
    budget: 20,
  }),
  page({
    path: paths.members,
    layout: 'shell',
    title: msg`Members`,
    permission: 'operator:read',
    nav: { entry: 'settings' },
    command: msg`Members`,
    load: () => import('../routes/members.tsx'),
    budget: 22,
  }),
  page({
    path: paths.roles,
    layout: 'shell',
    title: msg`Roles`,
    permission: 'role:read',
    nav: { entry: 'settings' },
    command: msg`Roles`,
    load: () => import('../routes/roles.tsx'),
    budget: 20,
  }),
  page({
    path: paths.vault,
    layout: 'shell',
    title: msg`Vault`,
    permission: 'vault:read',
    nav: { entry: 'settings' },
    command: msg`Vault`,
    load: () => import('../routes/vault.tsx'),
    budget: 16,
  }),
  page({
    path: paths.email,
    layout: 'shell',
    title: msg`E-mail`,
    permission: 'settings:read',
    nav: { entry: 'settings' },
    command: msg`E-mail`,
    load: () => import('../routes/email-settings.tsx'),
    budget: 13,
  }),
  page({
    path: paths.paymentMethods,
    layout: 'shell',
    title: msg`Payment methods`,
    permission: 'project:read',
    nav: { entry: 'settings' },
    command: msg`Payment methods`,
    load: () => import('../routes/payment-methods.tsx'),
    budget: 12,
  }),
  page({
    path: paths.payoutPolicy,
    layout: 'shell',
    title: msg`Payout policy`,
    permission: 'payout:read',
    nav: { entry: 'settings' },
    command: msg`Payout policy`,
    load: () => import('../routes/payout-policy.tsx'),
    budget: 26,
  }),
  page({
    path: paths.walletConnect,
    layout: 'shell',
    title: msg`Wallet connect`,
    permission: 'settings:read',
    nav: { entry: 'settings' },
    command: msg`Wallet connect`,
    load: () => import('../routes/wallet-connect.tsx'),
    budget: 8,
  }),
  page({
    path: paths.blockchains,
    layout: 'shell',
    title: msg`Blockchains`,
    permission: 'blockchain:read',
    nav: { entry: 'settings' },
    command: msg`Blockchains and nodes`,
    load: () => import('../routes/blockchains.tsx'),
    budget: 5,
  }),
  page({
    path: paths.blockchain,
    layout: 'shell',
    title: msg`Blockchain`,
    permission: 'blockchain:read',
    nav: { entry: 'settings' },
    load: () => import('../routes/blockchain-detail.tsx'),
    budget: 26,
  }),
  page({
    path: paths.systemHealth,
    layout: 'shell',
    title: msg`System health`,
    permission: 'system:read',
    nav: { entry: 'settings' },
    command: msg`System health`,
    load: () => import('../routes/system-health.tsx'),
    budget: 20,
  }),
  page({
    path: paths.auditLog,
    layout: 'shell',
    title: msg`Audit log`,
    permission: 'audit:read',
    nav: { entry: 'settings' },
    command: msg`Audit log`,
    load: () => import('../routes/audit-log.tsx'),
    budget: 26,
  }),
]
