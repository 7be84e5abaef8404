/** Answers of the server that most screens need, as they come over the wire. */
import { PERMISSIONS, permissionsOf } from '@kassa/contract/permissions.ts'

export const AT = '2026-11-20T05:10:44.000Z'

/** The signed-in operator of a role, held for the whole install. */
export function me(role = 'root') {
  return {
    id: 1,
    createdAt: AT,
    updatedAt: AT,
    name: 'Ada',
    email: 'ada@shop.example',
    username: null,
    locale: null,
    display: { theme: null, timeZone: null, density: null, singleKeys: null, setupGuide: null },
    customer_id: '',
    level: 0,
    group: '',
    state: 'active',
    memberType: 'internal',
    platformRoles: role,
    memberExternalPlatformRoles: [],
    lastSeenAt: null,
    resetPasswordRequired: false,
    permissions: { install: role === 'root' ? Object.keys(PERMISSIONS) : permissionsOf(role), projects: {} },
    secondFactor: { enrolled: false, methods: [], satisfied: false, setupRequired: false, requiredForMoney: false },
    permissionsVersion: 'first',
    stepUp: { windowUntil: null },
    sessionExpiresAt: '2099-12-31T00:00:00.000Z',
  }
}

/** A project with only a name. */
export function project(id: number, name: string, more: object = {}) {
  return {
    id,
    createdAt: AT,
    updatedAt: AT,
    name,
    logoPath: '',
    brandColor: '#caff54',
    website: '',
    successEndpoint: '',
    cancelEndpoint: '',
    frontendEndpoint: '',
    webhookEndpoint: '',
    twitterURL: '',
    discordURL: '',
    linkedInURL: '',
    telegramURL: '',
    supportEmail: '',
    emailSendRequestFrom: '',
    emailSendRequestReplyTo: '',
    checkoutLanguage: '',
    checkoutTheme: 'system',
    backText: '',
    defaultPaymentBlockchainID: null,
    defaultPaymentBlockchainCurrencyID: null,
    externalPlatformBlockchainCurrencies: null,
    status: 'active',
    ...more,
  }
}

/** What C1 tells about a sandbox. */
export const sandboxConfiguration = {
  server: 'http://localhost:8080',
  walletConnectID: '',
  tronHTTPProvider: '',
  tronAPIKey: '',
  sweepBatchSizeETH: 0,
  sweepApprovalBatchSizeETH: 0,
  sweepBatchSizeTRX: 0,
  sweepApprovalBatchSizeTRX: 0,
  siteURL: 'http://localhost:8080',
  blockchainNetwork: 'sandbox',
  defaultBrandColor: '#caff54',
  features: { sandbox: true, smtp: false, passkeys: false },
}

/** The default payment policy of a project, as the server sends it. */
export const paymentPolicy = {
  linkLifetimeMinutes: 15,
  openPaymentsPerCustomer: 'one',
  customerEmailRequired: true,
  underpaidTolerancePercent: '0.5',
  overpaidTolerancePercent: '1',
  lateGraceHours: 24,
  minAmountInUSD: '0.00',
  maxAmountInUSD: null,
  uniqueInvoiceID: false,
  confirmationRules: [],
  applyUnappliedToNext: false,
  reminderMail: true,
  updatedAt: AT,
}
