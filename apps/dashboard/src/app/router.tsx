import type { Permission } from '@kassa/contract/permissions.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'

import { storedUser } from '../api/session.ts'
import { lastProject } from '../lib/navigation/current-project.ts'
import { parseSearch, stringifySearch } from '../lib/navigation/search.ts'
import { SPEC_TEXTS } from '../lib/text/spec-texts.ts'
import { Fault } from './errors/Fault.tsx'
import { FaultPage } from './errors/FaultPage.tsx'
import { NotFoundPage } from './errors/NotFoundPage.tsx'
import { guard } from './navigation/guard.ts'
import { lazyPage } from './lazy-page.ts'
import { Root } from './Root.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page's name: its title and its last breadcrumb. */
    readonly title?: MessageDescriptor
    /** The menu group above it. */
    readonly group?: MessageDescriptor
    /** What reading the page needs. */
    readonly permission?: Permission
  }
}

const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: NotFoundPage,
  errorComponent: FaultPage,
  beforeLoad: ({ location }) => {
    const elsewhere = guard({
      pathname: location.pathname,
      search: location.searchStr,
      hasKey: storedUser() !== undefined,
      lastProject: lastProject(),
    })
    if (elsewhere === undefined) return
    const [to = '/', search = ''] = elsewhere.split(/\?(.*)/s)
    throw redirect({ to, search: parseSearch(search), replace: true })
  },
})

/** Pages with the public header and footer. */
const publicRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'public',
  component: lazyPage(() => import('./layouts/PublicLayout.tsx'), 'PublicLayout'),
})

/** Pages with nothing around them. */
const bareRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'bare',
  component: lazyPage(() => import('./layouts/BareLayout.tsx'), 'BareLayout'),
})

/** Pages inside the shell: sidebar, top bar, project selector. */
const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: lazyPage(() => import('./shell/Shell.tsx'), 'Shell'),
})

type Page = {
  readonly title: MessageDescriptor
  readonly group?: MessageDescriptor
  readonly permission?: Permission
}
type Component = ReturnType<typeof lazyPage>

function publicPage(path: string, component: Component, title: MessageDescriptor) {
  return createRoute({
    getParentRoute: () => publicRoute,
    path,
    component,
    errorComponent: Fault,
    staticData: { title },
  })
}

function shellPage(path: string, component: Component, page: Page) {
  return createRoute({ getParentRoute: () => shellRoute, path, component, errorComponent: Fault, staticData: page })
}

const openedPayment = () => import('../routes/payment-detail.tsx')
const planned = lazyPage(() => import('../routes/planned.tsx'), 'PlannedRoute')

const barePages = [
  createRoute({
    getParentRoute: () => bareRoute,
    path: '/referral/$token',
    component: planned,
    errorComponent: Fault,
    staticData: { title: msg`Your referrals` },
  }),
]

const publicPages = [
  publicPage(
    '/',
    lazyPage(() => import('../routes/landing.tsx'), 'LandingRoute'),
    msg`Crypto payments`,
  ),
  publicPage(
    '/login',
    lazyPage(() => import('../routes/login.tsx'), 'LoginRoute'),
    msg`Sign in`,
  ),
  publicPage(
    '/signup',
    lazyPage(() => import('../routes/signup.tsx'), 'SignupRoute'),
    msg`Create the first account`,
  ),
  publicPage(
    '/logout',
    lazyPage(() => import('../routes/logout.tsx'), 'LogoutRoute'),
    msg`Signing out`,
  ),
  publicPage(
    '/forgotPassword',
    lazyPage(() => import('../routes/forgot-password.tsx'), 'ForgotPasswordRoute'),
    msg`Forgot password`,
  ),
  publicPage(
    '/createPassword',
    lazyPage(() => import('../routes/create-password.tsx'), 'CreatePasswordRoute'),
    msg`Create a new password`,
  ),
  publicPage(
    '/setPassword',
    lazyPage(() => import('../routes/set-password.tsx'), 'SetPasswordRoute'),
    msg`Set your password`,
  ),
  publicPage(
    '/privacy-policy',
    lazyPage(() => import('../routes/privacy-policy.tsx'), 'PrivacyPolicyRoute'),
    SPEC_TEXTS.privacyPolicy,
  ),
  publicPage(
    '/cookie-policy',
    lazyPage(() => import('../routes/cookie-policy.tsx'), 'CookiePolicyRoute'),
    SPEC_TEXTS.cookiePolicy,
  ),
]

const shellPages = [
  shellPage(
    '/project/$projectId/dashboard',
    lazyPage(() => import('../routes/project-dashboard.tsx'), 'ProjectDashboardRoute'),
    { title: msg`Dashboard`, permission: 'analytics:read' },
  ),
  shellPage(
    '/project/$projectId/payments/allPayments',
    lazyPage(() => {
      // A link to an open payment: its program comes beside the list's, not after it.
      if (parseSearch(location.search).open !== undefined) void openedPayment().catch(() => undefined)
      return import('../routes/all-payments.tsx')
    }, 'AllPaymentsRoute'),
    { title: msg`All payments`, group: msg`Payments`, permission: 'payment:read' },
  ),
  shellPage('/project/$projectId/payments/allPayments/$reference', lazyPage(openedPayment, 'PaymentRoute'), {
    title: msg`Payment`,
    group: msg`Payments`,
    permission: 'payment:read',
  }),
  shellPage(
    '/project/$projectId/payments/createPaymentLink',
    lazyPage(() => import('../routes/create-payment-link.tsx'), 'CreatePaymentLinkRoute'),
    { title: msg`Create payment link`, group: msg`Payments`, permission: 'payment:create' },
  ),
  shellPage('/project/$projectId/growth/analytics', planned, {
    title: msg`Growth dashboard`,
    group: msg`Growth`,
    permission: 'referral:read',
  }),
  shellPage('/project/$projectId/growth/campaigns', planned, {
    title: msg`Campaigns`,
    group: msg`Growth`,
    permission: 'referral:read',
  }),
  shellPage(
    '/manageWallet/deposit-wallet',
    lazyPage(() => import('../routes/deposit-wallet.tsx'), 'DepositWalletRoute'),
    { title: msg`Deposit wallets`, group: msg`Wallet management`, permission: 'wallet:read' },
  ),
  shellPage('/manageWallet/hot-wallet', planned, {
    title: msg`Hot wallets`,
    group: msg`Wallet management`,
    permission: 'wallet:read',
  }),
  shellPage('/manageWallet/sweepContract/deploy', planned, {
    title: msg`Deploy sweep contract`,
    group: msg`Wallet management`,
    permission: 'wallet:read',
  }),
  shellPage('/sweepIn', planned, { title: msg`Funds Consolidation`, permission: 'sweep:read' }),
  shellPage('/withdraw/referral-payouts', planned, {
    title: msg`Referral payouts`,
    group: msg`Withdraw`,
    permission: 'payout:read',
  }),
  shellPage('/withdraw/payouts', planned, { title: msg`Payouts`, group: msg`Withdraw`, permission: 'payout:read' }),
  shellPage('/withdraw/approvals', planned, { title: msg`Approvals`, group: msg`Withdraw`, permission: 'payout:read' }),
  shellPage('/withdraw/recipients', planned, {
    title: msg`Recipients`,
    group: msg`Withdraw`,
    permission: 'recipient:read',
  }),
  shellPage(
    '/developers',
    lazyPage(() => import('../routes/developers.tsx'), 'DevelopersRoute'),
    {
      title: msg`Developers`,
    },
  ),
  shellPage(
    '/settings',
    lazyPage(() => import('../routes/settings.tsx'), 'SettingsRoute'),
    {
      title: msg`Settings`,
    },
  ),
  shellPage(
    '/settings/account/$projectId',
    lazyPage(() => import('../routes/project-settings.tsx'), 'ProjectSettingsRoute'),
    { title: msg`Project settings`, group: msg`Settings`, permission: 'project:read' },
  ),
  shellPage(
    '/settings/profile',
    lazyPage(() => import('../routes/profile.tsx'), 'ProfileRoute'),
    { title: msg`Profile`, group: msg`Settings` },
  ),
  shellPage(
    '/settings/security',
    lazyPage(() => import('../routes/security.tsx'), 'SecurityRoute'),
    { title: msg`Security`, group: msg`Settings` },
  ),
  shellPage(
    '/settings/email',
    lazyPage(() => import('../routes/email-settings.tsx'), 'EmailSettingsRoute'),
    { title: msg`E-mail`, group: msg`Settings`, permission: 'settings:read' },
  ),
  shellPage(
    '/settings/payment-methods',
    lazyPage(() => import('../routes/payment-methods.tsx'), 'PaymentMethodsRoute'),
    { title: msg`Payment methods`, group: msg`Settings`, permission: 'project:read' },
  ),
  shellPage(
    '/settings/wallet-connect',
    lazyPage(() => import('../routes/wallet-connect.tsx'), 'WalletConnectRoute'),
    { title: msg`Wallet connect`, group: msg`Settings`, permission: 'settings:read' },
  ),
  shellPage(
    '/settings/system',
    lazyPage(() => import('../routes/system-health.tsx'), 'SystemHealthRoute'),
    { title: msg`System health`, group: msg`Settings`, permission: 'system:read' },
  ),
  shellPage(
    '/settings/blockchains',
    lazyPage(() => import('../routes/blockchains.tsx'), 'BlockchainsRoute'),
    { title: msg`Blockchains`, group: msg`Settings`, permission: 'blockchain:read' },
  ),
  shellPage(
    '/settings/blockchains/$code',
    lazyPage(() => import('../routes/blockchain-detail.tsx'), 'BlockchainDetailRoute'),
    { title: msg`Blockchain`, group: msg`Settings`, permission: 'blockchain:read' },
  ),
]

/** Every address of the dashboard; a page's code is loaded when it is first opened. */
export const routeTree = rootRoute.addChildren([
  publicRoute.addChildren(publicPages),
  bareRoute.addChildren(barePages),
  shellRoute.addChildren(shellPages),
])

/** Returns the router over the browser's address bar; query values are plain text, never JSON. */
export function createAppRouter() {
  return createRouter({ routeTree, parseSearch, stringifySearch, scrollRestoration: true, defaultPendingMs: 150 })
}
