/** Every screen there is, by its address. */

/** Screens of nobody. */
export const PUBLIC_PAGES = [
  '/',
  '/login',
  '/forgotPassword',
  '/createPassword',
  '/setPassword',
  '/privacy-policy',
  '/cookie-policy',
  '/referral/a-token',
  '/addresses',
  '/payments?reference_id=none',
]

/** Screens of an operator; `{p}` stands for the project. */
export const SHELL_PAGES = [
  '/project/{p}/dashboard',
  '/project/{p}/payments/allPayments',
  '/project/{p}/payments/createPaymentLink',
  '/project/{p}/growth/analytics',
  '/project/{p}/growth/campaigns',
  '/manageWallet/deposit-wallet',
  '/manageWallet/hot-wallet',
  '/manageWallet/sweepContract/deploy',
  '/sweepIn?tabId=Funds',
  '/withdraw/referral-payouts',
  '/withdraw/payouts',
  '/withdraw/approvals',
  '/withdraw/recipients',
  '/developers?tabId=apiKeys',
  '/developers?tabId=webhooks',
  '/settings',
  '/settings/account/{p}?tab=projectDetails',
  '/settings/account/{p}?tab=checkout',
  '/settings/profile',
  '/settings/security',
  '/settings/members',
  '/settings/roles',
  '/settings/vault',
  '/settings/email',
  '/settings/wallet-connect',
  '/settings/payment-methods',
  '/settings/system',
  '/settings/blockchains',
  '/settings/blockchains/BASE',
  '/nothing/here',
]
