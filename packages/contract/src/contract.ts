/** Every route of the server, by noun: what is mounted, called and printed. */
import { alarmsRoutes } from './alarms/routes.ts'
import { analyticsRoutes } from './analytics/routes.ts'
import { apiKeysRoutes } from './api-keys/routes.ts'
import { attentionRoutes } from './attention/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { accountRoutes } from './auth/account-routes.ts'
import { factorRoutes } from './auth/factor-routes.ts'
import { passwordRoutes } from './auth/password-routes.ts'
import { authRoutes } from './auth/routes.ts'
import { acceptedAssetsRoutes } from './blockchains/accepted-assets-routes.ts'
import { blockchainChangesRoutes } from './blockchains/change-routes.ts'
import { nodesRoutes } from './blockchains/node-routes.ts'
import { blockchainsRoutes } from './blockchains/routes.ts'
import { backupsRoutes } from './backups/routes.ts'
import { bulkJobsRoutes } from './bulk-jobs/routes.ts'
import { customersRoutes } from './customers/routes.ts'
import { depositsRoutes } from './deposits/routes.ts'
import type { Route, Routes } from './kit/route.ts'
import { ledgerRoutes } from './ledger/routes.ts'
import { reconciliationRoutes } from './reconciliation/routes.ts'
import { mailRoutes } from './mail/routes.ts'
import { rolesRoutes } from './operators/role-routes.ts'
import { membersRoutes } from './operators/routes.ts'
import { paymentRepairRoutes } from './payments/repair-routes.ts'
import { paymentWalletRoutes } from './sends/payment-by-wallet-routes.ts'
import { paymentsRoutes, paymentStreamRoutes } from './payments/routes.ts'
import { payoutPolicyRoutes } from './payout-policy/routes.ts'
import { pricesRoutes } from './prices/routes.ts'
import { projectsRoutes } from './projects/routes.ts'
import { realtimeRoutes } from './realtime/routes.ts'
import { promoterPageRoutes } from './referral/page-routes.ts'
import { growthRoutes } from './referral/growth-routes.ts'
import {
  campaignsRoutes,
  promotersRoutes,
  referralEventsRoutes,
  referralPayoutsRoutes,
  referralShopRoutes,
  rewardCurrenciesRoutes,
} from './referral/routes.ts'
import { recipientsRoutes } from './recipients/routes.ts'
import { sandboxRoutes } from './sandbox/routes.ts'
import { devicesRoutes } from './devices/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { sharedViewsRoutes } from './shared-views/routes.ts'
import { settingsRoutes } from './settings/routes.ts'
import { contractAddressesRoutes } from './sweep-contracts/address-routes.ts'
import { contractCallRoutes } from './sweep-contracts/wallet-routes.ts'
import { sweepContractsRoutes } from './sweep-contracts/routes.ts'
import { approvedSweepsRoutes, sweepApprovalsRoutes } from './sweeps/approval-routes.ts'
import { offlineSweepsRoutes } from './sweeps/offline-routes.ts'
import { sweepsRoutes } from './sweeps/routes.ts'
import { systemRoutes } from './system/routes.ts'
import { unlistedTransfersRoutes } from './unlisted-transfers/routes.ts'
import { vaultActivityRoutes } from './vaults/activity-routes.ts'
import { vaultsRoutes } from './vaults/routes.ts'
import { coldWalletsRoutes } from './wallets/cold-routes.ts'
import { contractWalletsRoutes } from './wallets/contract-routes.ts'
import { hotWalletsRoutes } from './wallets/hot-routes.ts'
import { walletsRoutes } from './wallets/routes.ts'
import { webhooksRoutes } from './webhooks/routes.ts'
import { payoutRequestRoutes } from './withdrawals/request-routes.ts'
import { payoutsRoutes } from './withdrawals/routes.ts'
import { workersRoutes } from './workers/routes.ts'

export const CONTRACT = {
  auth: authRoutes,
  factors: factorRoutes,
  passwords: passwordRoutes,
  accounts: accountRoutes,
  members: membersRoutes,
  roles: rolesRoutes,
  customers: customersRoutes,
  projects: projectsRoutes,
  settings: settingsRoutes,
  backups: backupsRoutes,
  devices: devicesRoutes,
  mail: mailRoutes,
  blockchains: blockchainsRoutes,
  blockchainChanges: blockchainChangesRoutes,
  nodes: nodesRoutes,
  acceptedAssets: acceptedAssetsRoutes,
  wallets: walletsRoutes,
  hotWallets: hotWalletsRoutes,
  coldWallets: coldWalletsRoutes,
  contractWallets: contractWalletsRoutes,
  sweepContracts: sweepContractsRoutes,
  sweeps: sweepsRoutes,
  sweepApprovals: sweepApprovalsRoutes,
  approvedSweeps: approvedSweepsRoutes,
  offlineSweeps: offlineSweepsRoutes,
  contractAddresses: contractAddressesRoutes,
  contractCalls: contractCallRoutes,
  vaults: vaultsRoutes,
  vaultActivities: vaultActivityRoutes,
  ledger: ledgerRoutes,
  reconciliation: reconciliationRoutes,
  analytics: analyticsRoutes,
  recipients: recipientsRoutes,
  payoutPolicy: payoutPolicyRoutes,
  payments: paymentsRoutes,
  paymentStream: paymentStreamRoutes,
  paymentRepair: paymentRepairRoutes,
  paymentWallet: paymentWalletRoutes,
  payouts: payoutsRoutes,
  payoutRequests: payoutRequestRoutes,
  deposits: depositsRoutes,
  unlistedTransfers: unlistedTransfersRoutes,
  bulkJobs: bulkJobsRoutes,
  referralShop: referralShopRoutes,
  campaigns: campaignsRoutes,
  referralEvents: referralEventsRoutes,
  promoters: promotersRoutes,
  referralPayouts: referralPayoutsRoutes,
  promoterPage: promoterPageRoutes,
  growth: growthRoutes,
  rewardCurrencies: rewardCurrenciesRoutes,
  prices: pricesRoutes,
  webhooks: webhooksRoutes,
  apiKeys: apiKeysRoutes,
  realtime: realtimeRoutes,
  system: systemRoutes,
  workers: workersRoutes,
  alarms: alarmsRoutes,
  attention: attentionRoutes,
  search: searchRoutes,
  sharedViews: sharedViewsRoutes,
  audit: auditRoutes,
  sandbox: sandboxRoutes,
} as const satisfies Readonly<Record<string, Routes>>

/** All routes in the order of the catalogue's nouns. */
export function allRoutes(): Route[] {
  return Object.values<Routes>(CONTRACT).flatMap((routes) => Object.values(routes))
}
