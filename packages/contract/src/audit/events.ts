/** What the activity log names (api.md T): each write of the contract that leaves an entry, and the noun it belongs to. */

export const AUDIT_CATEGORIES = ['access', 'money', 'projects', 'settings', 'developers', 'vaults', 'system'] as const

export type AuditCategory = (typeof AUDIT_CATEGORIES)[number]

/** The category of every write by the name of its route, except `UNLOGGED_WRITES`; a test compares the list with the contract. */
export const AUDIT_EVENTS = {
  signUp: 'access',
  signIn: 'access',
  refresh: 'access',
  logOut: 'access',
  logOutEverywhere: 'access',
  changePassword: 'access',
  changeMe: 'access',
  endSession: 'access',
  stepUp: 'access',
  finishSignIn: 'access',
  signInWithPasskey: 'access',
  beginTotp: 'access',
  confirmTotp: 'access',
  removeTotp: 'access',
  renewBackupCodes: 'access',
  addPasskey: 'access',
  renamePasskey: 'access',
  removePasskey: 'access',
  removeSecondFactor: 'access',
  forgotPassword: 'access',
  resetPassword: 'access',
  issueResetLink: 'access',
  requireReset: 'access',
  inviteMember: 'access',
  changeMember: 'access',
  revokeAccess: 'access',
  deleteMember: 'access',
  sendInvitation: 'access',
  endMemberSessions: 'access',
  assignRole: 'access',
  replaceRoles: 'access',
  activateMember: 'access',
  createRole: 'access',
  changeRole: 'access',
  deleteRole: 'access',

  createCustomer: 'projects',
  changeCustomer: 'projects',
  createProject: 'projects',
  changeProject: 'projects',
  archiveProject: 'projects',
  restoreProject: 'projects',

  changePaymentPolicy: 'money',
  setProjectAssets: 'money',
  setPaymentOptions: 'money',
  setPaymentOption: 'money',
  addDepositWallet: 'money',
  addListedAddresses: 'money',
  addFamilyXpub: 'money',
  growPool: 'money',
  linkWallets: 'money',
  addHotWallet: 'money',
  addColdWallet: 'money',
  addContractWallet: 'money',
  recordCollector: 'money',
  addContract: 'money',
  changeContract: 'money',
  registerContractAddress: 'money',
  changeContractAddress: 'money',
  changeWallet: 'money',
  deleteWallet: 'money',
  setDefaultWallet: 'money',
  setWalletStatus: 'money',
  unlinkWallet: 'money',
  fundWallet: 'money',
  createPayment: 'money',
  createLegacyPayment: 'money',
  createProjectPayment: 'money',
  cancelPayment: 'money',
  cancelPaymentByReference: 'money',
  extendPayment: 'money',
  remindCustomer: 'money',
  pinPayment: 'money',
  sendDraft: 'money',
  claimRefund: 'money',
  declineRefundClaim: 'money',
  resolvePayment: 'money',
  findMissedDeposit: 'money',
  assignDeposit: 'money',
  releaseDeposit: 'money',
  startBulkJob: 'money',
  cancelBulkJob: 'money',
  payAsCustomer: 'money',
  payWithTestMoney: 'money',
  bringFriend: 'money',
  createMerchantPayout: 'money',
  createPayout: 'money',
  createPayouts: 'money',
  approvePayout: 'money',
  approvePayouts: 'money',
  rejectPayout: 'money',
  cancelPayout: 'money',
  retryPayout: 'money',
  startSweep: 'money',
  retrySweep: 'money',
  recordSweepTransaction: 'money',
  sendCall: 'money',
  signOfflineSweep: 'money',
  releaseOfflineSweep: 'money',
  requestApprovals: 'money',
  initiateSweep: 'money',
  cancelSweep: 'money',
  postSignatures: 'money',
  createRecipient: 'money',
  changeRecipient: 'money',
  deleteRecipient: 'money',
  verifyRecipient: 'money',
  sendRecipientCode: 'money',
  changePayoutConfig: 'money',
  authenticateReferrer: 'projects',
  linkReferee: 'projects',
  logReferralEvent: 'money',
  createCampaign: 'money',
  changeCampaign: 'money',
  setCampaignStatus: 'money',
  createReferralEvent: 'money',
  changeReferralEvent: 'money',
  setPromoterStatus: 'money',
  setPromoterCampaigns: 'money',
  sendWithdrawalCode: 'money',
  withdrawRewards: 'money',

  saveSetting: 'settings',
  updateSetting: 'settings',
  resetSetting: 'settings',
  saveSiteAddress: 'settings',
  saveSetupMode: 'settings',
  saveMailServer: 'settings',
  removeMailServer: 'settings',
  changeBlockchain: 'settings',
  changeAsset: 'settings',
  addNode: 'settings',
  changeNode: 'settings',
  removeNode: 'settings',
  changeAnalyticsGroup: 'settings',

  createWebhook: 'developers',
  updateWebhook: 'developers',
  deleteWebhook: 'developers',
  rotateWebhookSecret: 'developers',
  resendDelivery: 'developers',
  replayDeliveries: 'developers',
  resendPaymentWebhook: 'developers',
  sendSandboxEvent: 'developers',
  shareView: 'projects',
  changeSharedView: 'projects',
  deleteSharedView: 'projects',
  createApiKey: 'developers',
  createKeyOfProject: 'developers',
  changeApiKey: 'developers',
  actOnApiKey: 'developers',
  revokeApiKey: 'developers',

  createVault: 'vaults',
  changeVault: 'vaults',
  lockVault: 'vaults',
  unlockVault: 'vaults',
  rotateVault: 'vaults',
  deleteVault: 'vaults',

  openPairing: 'access',
  pairDevice: 'access',
  unpairDevice: 'access',
  endDevice: 'access',
  restartWorker: 'system',
  restartWorkers: 'system',
  clearAlarm: 'system',
  mineBlocks: 'system',
  reorganise: 'system',
  resetUrlIgnored: 'system',
} as const satisfies Readonly<Record<string, AuditCategory>>

export type AuditEventName = keyof typeof AUDIT_EVENTS

/** Entries that the program writes of its own accord, without a route. */
export const PROGRAM_EVENTS = ['endDevice', 'resetUrlIgnored'] as const satisfies readonly AuditEventName[]

/** Calls that authenticate a person: their entries say LOGIN. */
const SIGN_IN_EVENTS: ReadonlySet<string> = new Set([
  'signUp',
  'signIn',
  'finishSignIn',
  'signInWithPasskey',
  'refresh',
  'logOut',
  'logOutEverywhere',
  'stepUp',
])

export const AUDIT_ACTIONS = ['READ', 'WRITE', 'LOGIN', 'SYSTEM'] as const

export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** FAILURE: the identity was not proven; DENIED: the caller may not do it. */
export const AUDIT_STATUSES = ['SUCCESS', 'FAILURE', 'DENIED'] as const

export type AuditStatus = (typeof AUDIT_STATUSES)[number]

/** Returns the category of a call by the name of its route; a refused call that leaves no entry otherwise is about access. */
export function auditCategory(event: string): AuditCategory {
  return Object.hasOwn(AUDIT_EVENTS, event) ? AUDIT_EVENTS[event as AuditEventName] : 'access'
}

/** Writes by method that change nothing: searches, tests, a token for one minute, the first half of a step-up. */
export const UNLOGGED_WRITES: ReadonlySet<string> = new Set([
  'readPasswordToken',
  'searchMembers',
  'searchEverything',
  'prepareStepUp',
  'quotePayouts',
  'askPasskey',
  'beginPasskey',
  'testConnection',
  'testMailServer',
  'getGraphData',
  'getGrowthFigure',
  'dryRunPayoutConfig',
  'planSweep',
  'draftCall',
  'draftPayment',
  'summarizePayments',
  'searchPayments',
  'summarizeProjectPayments',
  'searchProjectPayments',
  'diagnosePayment',
  'testWebhook',
  'createWebsocketToken',
  'askOwnerWallet',
])

/** Returns what kind of call it is: `isWrite` as its method says. */
export function auditAction(event: string, isWrite: boolean): AuditAction {
  if (SIGN_IN_EVENTS.has(event)) return 'LOGIN'
  return isWrite ? 'WRITE' : 'READ'
}
