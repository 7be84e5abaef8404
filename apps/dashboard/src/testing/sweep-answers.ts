/** Funds and sweeps as the server answers them. */
import { AT } from './answers.ts'

export const COLLECTOR = '0x9F3a77C0bA51eDB4dfD5Ab2fa0Ef35b9c07801bc'

/** 311 addresses of a contract wallet that hold USDC on ETH and can be swept. */
export function wireFunds(more: object = {}) {
  return {
    walletName: 'Main',
    walletID: 3,
    walletActive: true,
    blockchainCode: 'ETH',
    blockchainFamily: 'ETH_Family',
    blockchainID: 1,
    currencyCode: 'USDC',
    currencyAddress: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    currencyID: 2,
    amount: '16002',
    amountUSD: '16002.00',
    addressCount: 311,
    count: 311,
    startID: 1,
    endID: 311,
    action: 'sweep',
    waits: null,
    path: 'contract',
    manual: true,
    hotWalletID: 5,
    hotWalletName: 'Gas',
    hotWalletActive: true,
    hotWalletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    coldWalletConfigured: true,
    defaultColdWalletSet: true,
    coldWalletName: 'Ledger 1',
    fundCollectorAddress: COLLECTOR,
    hasWalletScw: true,
    isSCWDeploymentPending: false,
    nextProbableSweepAt: null,
    sweepInProgressID: null,
    sweepInProgressTxHash: null,
    sweptCount: null,
    lastSweepError: null,
    ...more,
  }
}

/** Seven transactions for 311 addresses, and 12 addresses that are not worth their fee. */
export function wirePlan(more: object = {}) {
  const batch = {
    walletID: 3,
    walletName: 'Main',
    fundCollectorAddress: COLLECTOR,
    estimatedFee: '0.0001',
    estimatedFeeInUSD: '0.40',
    feePercent: '0.01',
  }
  return {
    planID: 'plan-1',
    expiresAt: '2099-01-01T00:00:00.000Z',
    blockchainCode: 'ETH',
    currencyCode: 'USDC',
    feeCurrency: 'ETH',
    batches: [
      ...Array.from({ length: 6 }, () => ({ ...batch, addressCount: 50, amount: '2500', amountInUSD: '2500.00' })),
      { ...batch, addressCount: 11, amount: '1002', amountInUSD: '1002.00' },
    ],
    skipped: [
      {
        reason: { code: 'BELOW_FEE', params: { valueInUSD: '0.10', costInUSD: '0.40' }, text: '' },
        addressCount: 12,
        amount: '1.2',
        amountInUSD: '1.20',
      },
    ],
    fundCollectorAddress: COLLECTOR,
    ...more,
  }
}

export const WIRE_SWEEP_METRICS = {
  totalUnsweptBalance: '18232.00',
  eligible: '16002.00',
  failedSweeps: 0,
  sweptLast24h: '0',
  activeSweep: { sweepsInProgress: 0, amountInUSD: '0' },
}

/** A sweep of 50 addresses that is on its way. */
export function wireSweep(more: object = {}) {
  return {
    id: 21,
    createdAt: AT,
    updatedAt: AT,
    walletID: 3,
    walletName: 'Main',
    blockchainCode: 'ETH',
    currencyCode: 'USDC',
    currencyAddress: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    amount: '2500',
    amountInUSD: '2500.00',
    sweptAmount: '0',
    addressCount: 2,
    sweptCount: 0,
    failedCount: 0,
    fundCollectorAddress: COLLECTOR,
    status: 'broadcast',
    waits: { code: 'CONFIRMATIONS', params: { current: 3, required: 12 }, text: '' },
    txHash: `0x${'ab'.repeat(32)}`,
    explorerTransaction: null,
    networkFee: '0.0002',
    networkFeeCurrency: 'ETH',
    networkFeeInUSD: '0.80',
    confirmations: 3,
    confirmationRequired: 12,
    trigger: 'manual',
    path: 'contract',
    sentBy: 'hot-wallet',
    startedBy: { id: 1, name: 'Ada', email: 'ada@shop.example' },
    expiresAt: null,
    lastSweepError: null,
    externalPlatformIDs: [7],
    ...more,
  }
}

/** The same with two addresses, its transaction and what was booked. */
export function wireSweepDetail(more: object = {}) {
  return {
    ...wireSweep(),
    addresses: [1, 2].map((addressID) => ({
      addressID,
      address: `0x${String(addressID).repeat(40)}`,
      explorerAddress: null,
      externalPlatformID: 7,
      amount: '1250',
      state: 'open',
      waits: null,
    })),
    transactions: [
      {
        txHash: `0x${'ab'.repeat(32)}`,
        explorerTransaction: null,
        state: 'sent',
        at: AT,
        blockNumber: null,
        maxFee: '0.0003',
        fee: null,
      },
    ],
    errors: [],
    journal: [
      { id: 90, at: AT, posting: 'sweep.start', account: 'chain:transit', debit: '2500', credit: null, asset: 'USDC' },
      {
        id: 90,
        at: AT,
        posting: 'sweep.start',
        account: 'chain:deposit-addresses',
        debit: null,
        credit: '2500',
        asset: 'USDC',
      },
    ],
    ...more,
  }
}

/** A page of sweeps. */
export function wireSweeps(data: readonly object[]) {
  return { data, total: data.length, limit: 50, offset: 0, nextCursor: null }
}

/** How far the addresses of an asset are. */
export const WIRE_OVERVIEW = {
  counts: { idle: 1, pendingApproval: 0, approved: 1, sweepInitiated: 0 },
  contract: { id: 1, address: '0x41C0000000000000000000000000000000009bCe', fundCollectorAddress: COLLECTOR },
  gas: {
    hotWalletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    currency: 'ETH',
    balance: '0.01',
    needed: '0.002',
  },
  batchSize: 3,
  approvalBatchSize: 50,
}

/** An address that has not allowed its money to be moved. */
export function wireApprovalAddress(more: object = {}) {
  return {
    addressID: 61,
    address: `0x${'6'.repeat(40)}`,
    path: 'm/44/60/0/0/61',
    walletID: 4,
    walletName: 'Keys',
    kind: 'approve_tx',
    balance: '700',
    balanceInUSD: '700.00',
    nativeBalance: '0',
    needsGas: '0.002',
    gasState: 'needed',
    approvalState: 'none',
    lockedUntil: null,
    batchID: null,
    state: 'idle',
    ...more,
  }
}

/** What the signer is handed for that address. */
export function wireJob(more: object = {}) {
  return {
    batchID: 'b-1',
    expiresAt: '2099-01-01T00:00:00.000Z',
    blockchainCode: 'ETH',
    currencyCode: 'USDC',
    currencyAddress: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    precision: 6,
    contract: WIRE_OVERVIEW.contract,
    data: [
      {
        addressID: 61,
        address: `0x${'6'.repeat(40)}`,
        path: 'm/44/60/0/0/61',
        balance: '700',
        state: 'pending-approval',
        approval: {
          addressID: 61,
          kind: 'approve_tx',
          from: `0x${'6'.repeat(40)}`,
          path: 'm/44/60/0/0/61',
          chainId: 1,
          to: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
          data: '0x095ea7b3',
          value: '0',
          nonce: 0,
          gasLimit: '50000',
          maxFee: '1000000000',
          maxPriorityFee: '1',
          permit: null,
          authorization: null,
          rawData: null,
        },
      },
    ],
    ...more,
  }
}
