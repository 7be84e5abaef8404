import type { AuditCategory, AuditEventName, AuditStatus } from '@kassa/contract/audit/events.ts'
import type { AuditEntry } from '@kassa/contract/audit/schemas.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

import type { StatusBadgeProps } from '../../ui/facts/StatusBadge.tsx'

/** What each call does, in words. */
export const EVENT_WORDS: Readonly<Record<AuditEventName, MessageDescriptor>> = {
  signUp: msg`Create the first account`,
  signIn: msg`Sign in`,
  refresh: msg`Renew a session`,
  logOut: msg`Sign out`,
  logOutEverywhere: msg`Sign out everywhere`,
  changePassword: msg`Change the own password`,
  changeMe: msg`Change the own profile`,
  endSession: msg`Sign a device out`,
  stepUp: msg`Confirm presence`,
  finishSignIn: msg`Sign in with a second factor`,
  signInWithPasskey: msg`Sign in with a passkey`,
  beginTotp: msg`Begin to set up an authenticator app`,
  confirmTotp: msg`Set up an authenticator app`,
  removeTotp: msg`Remove the authenticator app`,
  renewBackupCodes: msg`Make new backup codes`,
  addPasskey: msg`Add a passkey`,
  renamePasskey: msg`Rename a passkey`,
  removePasskey: msg`Remove a passkey`,
  removeSecondFactor: msg`Remove the second factor of a member`,
  forgotPassword: msg`Ask for a password link`,
  resetPassword: msg`Choose a password with a link`,
  issueResetLink: msg`Make a password link for a member`,
  requireReset: msg`Require a new password`,
  inviteMember: msg`Invite a member`,
  changeMember: msg`Change a member`,
  revokeAccess: msg`Revoke access`,
  deleteMember: msg`Delete a member`,
  sendInvitation: msg`Send an invitation again`,
  endMemberSessions: msg`Sign a member out`,
  assignRole: msg`Give a role`,
  replaceRoles: msg`Change a role of a member`,
  activateMember: msg`Give access back`,
  createRole: msg`Create a role`,
  changeRole: msg`Change a role`,
  deleteRole: msg`Delete a role`,
  createCustomer: msg`Add a customer`,
  changeCustomer: msg`Change a customer`,
  createProject: msg`Add a project`,
  changeProject: msg`Change a project`,
  archiveProject: msg`Archive a project`,
  restoreProject: msg`Restore a project`,
  changePaymentPolicy: msg`Change the payment policy`,
  setProjectAssets: msg`Choose the accepted assets`,
  setPaymentOptions: msg`Choose the payment options`,
  setPaymentOption: msg`Turn a payment option on or off`,
  addDepositWallet: msg`Add a deposit wallet`,
  addListedAddresses: msg`Add deposit addresses`,
  addFamilyXpub: msg`Add an extended public key`,
  growPool: msg`Derive addresses ahead`,
  linkWallets: msg`Link a deposit wallet`,
  createMerchantPayout: msg`Request a payout (API key)`,
  createPayout: msg`Request a payout`,
  createPayouts: msg`Request several payouts together`,
  approvePayout: msg`Approve a payout`,
  approvePayouts: msg`Approve several payouts together`,
  rejectPayout: msg`Reject a payout`,
  cancelPayout: msg`Cancel a payout`,
  retryPayout: msg`Send a stuck payout again`,
  startSweep: msg`Start a sweep`,
  retrySweep: msg`Send a stuck sweep again`,
  recordSweepTransaction: msg`Record the transaction of a sweep`,
  sendCall: msg`Send a contract call that a wallet signed`,
  signOfflineSweep: msg`Give a batch of coins back signed`,
  releaseOfflineSweep: msg`Release a batch of coins`,
  requestApprovals: msg`Prepare addresses for approval`,
  postSignatures: msg`Hand in signatures of addresses`,
  initiateSweep: msg`Start a sweep of approved addresses`,
  cancelSweep: msg`Release a sweep`,
  createRecipient: msg`Add a recipient`,
  changeRecipient: msg`Change or block a recipient`,
  deleteRecipient: msg`Delete a recipient`,
  verifyRecipient: msg`Verify a recipient`,
  sendRecipientCode: msg`Mail a code for a recipient`,
  changePayoutConfig: msg`Change the payout policy`,
  authenticateReferrer: msg`Sign a promoter in`,
  linkReferee: msg`Link a customer to a promoter`,
  logReferralEvent: msg`Log a referral event`,
  createCampaign: msg`Start a campaign`,
  changeCampaign: msg`Change a campaign`,
  setCampaignStatus: msg`Pause, resume or archive a campaign`,
  createReferralEvent: msg`Add a referral event`,
  changeReferralEvent: msg`Change a referral event`,
  setPromoterStatus: msg`Activate or deactivate a promoter`,
  setPromoterCampaigns: msg`Attach a promoter to campaigns`,
  sendWithdrawalCode: msg`Mail a promoter a code`,
  withdrawRewards: msg`Ask for rewards to be paid`,
  addHotWallet: msg`Add a hot wallet`,
  addColdWallet: msg`Add a cold wallet`,
  addContractWallet: msg`Add a contract wallet`,
  recordCollector: msg`Confirm where a contract sends money`,
  addContract: msg`Add facts of a contract`,
  changeContract: msg`Change facts of a contract`,
  registerContractAddress: msg`Register a sweep contract`,
  changeContractAddress: msg`Change a sweep contract`,
  changeWallet: msg`Change a wallet`,
  deleteWallet: msg`Delete a wallet`,
  setDefaultWallet: msg`Make a wallet the default`,
  setWalletStatus: msg`Activate or deactivate a wallet`,
  unlinkWallet: msg`Unlink a deposit wallet`,
  fundWallet: msg`Fund a wallet of the sandbox`,
  bringFriend: msg`Have a promoter of the sandbox bring a friend`,
  createPayment: msg`Create a payment`,
  createLegacyPayment: msg`Create a payment (older client)`,
  createProjectPayment: msg`Create a payment link`,
  cancelPayment: msg`Cancel a payment`,
  cancelPaymentByReference: msg`Cancel a payment by its reference`,
  extendPayment: msg`Extend a payment link`,
  remindCustomer: msg`Remind the customer of a payment`,
  pinPayment: msg`Choose the currency of a payment`,
  sendDraft: msg`Send a payment that a wallet signed`,
  claimRefund: msg`Name where money of a payment should return to`,
  declineRefundClaim: msg`Decline a claimed refund`,
  resolvePayment: msg`Resolve a payment`,
  findMissedDeposit: msg`Look for a missed deposit`,
  assignDeposit: msg`Assign a deposit`,
  releaseDeposit: msg`Release a deposit on hold`,
  startBulkJob: msg`Start a bulk job`,
  cancelBulkJob: msg`Stop a bulk job`,
  payAsCustomer: msg`Pay as a customer (sandbox)`,
  payWithTestMoney: msg`Pay with test money (sandbox)`,
  saveSetting: msg`Save a setting`,
  updateSetting: msg`Change a setting`,
  resetSetting: msg`Reset a setting`,
  saveSiteAddress: msg`Change the public URL`,
  saveSetupMode: msg`Confirm the set-up mode`,
  saveMailServer: msg`Set the mail server`,
  removeMailServer: msg`Remove the mail server`,
  changeBlockchain: msg`Change a blockchain`,
  changeAsset: msg`Change an asset`,
  addNode: msg`Add a node`,
  changeNode: msg`Change a node`,
  removeNode: msg`Remove a node`,
  changeAnalyticsGroup: msg`Arrange a dashboard`,
  createWebhook: msg`Add a webhook endpoint`,
  updateWebhook: msg`Change a webhook endpoint`,
  deleteWebhook: msg`Delete a webhook endpoint`,
  rotateWebhookSecret: msg`Rotate a webhook secret`,
  resendDelivery: msg`Resend a delivery`,
  replayDeliveries: msg`Resend the deliveries of a time`,
  resendPaymentWebhook: msg`Resend the webhook of a payment`,
  sendSandboxEvent: msg`Send a sandbox event`,
  shareView: msg`Share a view of a list`,
  changeSharedView: msg`Change a shared view`,
  deleteSharedView: msg`Delete a shared view`,
  createApiKey: msg`Create an API key`,
  createKeyOfProject: msg`Create an API key (older client)`,
  changeApiKey: msg`Change an API key`,
  actOnApiKey: msg`Turn an API key on or off, or rotate it`,
  revokeApiKey: msg`Revoke an API key`,
  createVault: msg`Add a vault`,
  changeVault: msg`Change a vault`,
  lockVault: msg`Lock a vault`,
  unlockVault: msg`Unlock a vault`,
  rotateVault: msg`Rotate the keys of a vault`,
  deleteVault: msg`Delete a vault`,
  openPairing: msg`Ask for a code for a signing device`,
  pairDevice: msg`Pair a signing device`,
  unpairDevice: msg`Unpair a signing device`,
  endDevice: msg`Signing device unpaired: its member may pair none any more`,
  restartWorker: msg`Restart a worker`,
  restartWorkers: msg`Restart the workers`,
  clearAlarm: msg`Close an alarm`,
  mineBlocks: msg`Mine blocks (sandbox)`,
  reorganise: msg`Replace blocks (sandbox)`,
  resetUrlIgnored: msg`A password link led to another site and was not used`,
}

/** Returns what an entry is about; of a refused reading, or of a version to come, the call itself. */
export function eventTitle({
  eventName,
  method,
  apiPart,
}: Pick<AuditEntry, 'eventName' | 'method' | 'apiPart'>): string {
  if (eventName === 'manyCallers') return t`Calls of many others`
  const words = Object.hasOwn(EVENT_WORDS, eventName) ? EVENT_WORDS[eventName as AuditEventName] : undefined
  return words === undefined ? `${method} ${apiPart}` : t(words)
}

/** What the categories are called. */
export const CATEGORY_WORDS: Readonly<Record<AuditCategory, MessageDescriptor>> = {
  access: msg`Access`,
  money: msg`Money`,
  projects: msg`Projects and customers`,
  settings: msg`Settings`,
  developers: msg`Developers`,
  vaults: msg`Vaults`,
  system: msg`System`,
}

const RESULTS: Readonly<Record<AuditStatus, { tone: StatusBadgeProps['tone']; word: MessageDescriptor }>> = {
  SUCCESS: { tone: 'success', word: msg`Done` },
  FAILURE: { tone: 'warning', word: msg`Not proven` },
  DENIED: { tone: 'danger', word: msg`Denied` },
}

/** Returns what became of a call. */
export function resultBadge({
  apiStatus,
  errorCode,
  count,
}: Pick<AuditEntry, 'apiStatus' | 'errorCode' | 'count'>): StatusBadgeProps {
  const { tone, word } = RESULTS[apiStatus]
  const text = t(word)
  return { tone, word: count > 1 ? t`${text} · ${count} times` : text, wire: errorCode ?? apiStatus }
}

/** Returns the results that a list can be narrowed to. */
export function resultOptions() {
  return Object.entries(RESULTS).map(([value, { word }]) => ({ value, label: t(word) }))
}

/** Returns who called. */
export function whoOf({ Member, apiKey, device, apiAction, ipAddress }: AuditEntry): string {
  if (Member !== null) return Member.email
  if (device !== null) {
    const { name } = device
    return t`Device ${name}`
  }
  if (apiKey !== null) {
    const { name, id } = apiKey
    return name === '' ? t`API key ${id}` : t`API key ${name}`
  }
  if (apiAction === 'SYSTEM') return t`Kassa itself`
  return ipAddress === '' ? t`Many` : t`Nobody signed in`
}
