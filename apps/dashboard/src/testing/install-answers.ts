/** How an install is, as the server tells it over the wire. */
import { AT } from './answers.ts'

/** A node that is well. */
export function node(id: number, more: object = {}) {
  return {
    id,
    createdAt: AT,
    updatedAt: AT,
    blockchainId: 4,
    url: `https://node-${id}.example/•••`,
    nodeType: 'free',
    client: 'Geth/v1.16.4',
    isPreferred: false,
    isActive: true,
    maxDailyCalls: null,
    priority: 0,
    chainIdentifier: '8453',
    apiKey: null,
    authUsername: null,
    authPassword: null,
    hasCredentials: true,
    health: {
      score: 96,
      state: 'healthy',
      cause: null,
      reason: null,
      latencyMs: 84,
      lastBlockSeen: 1_204,
      lastBlockTimestamp: AT,
      consecutiveFails: 0,
      checkedAt: AT,
    },
    ...more,
  }
}

/** BASE, read up to block 1,202 of 1,204 through one node. */
export function blockchain(more: object = {}) {
  return {
    id: 4,
    createdAt: AT,
    updatedAt: AT,
    code: 'BASE',
    name: 'Base',
    family: 'ETH_Family',
    client: '',
    height: 1_202,
    heightTimestamp: AT,
    explorerAddress: 'https://basescan.example/address/{address}',
    explorerTransaction: 'https://basescan.example/tx/{tx}',
    minConfirmations: 12,
    chainID: 8453,
    status: 'active',
    isSCW: true,
    blockchainFamilyID: 1,
    isCreate2Supported: true,
    networkMode: 'mainnet',
    lagBlocks: 2,
    rpcNodes: [node(1)],
    reason: null,
    cause: null,
    notice: null,
    noticeCause: null,
    sourceCount: 1,
    ...more,
  }
}

/** A currency on BASE. */
export function asset(more: object = {}) {
  const limits = [
    'depositFee',
    'minCollectionAmount',
    'withdrawFee',
    'minWithdrawAmount',
    'withdrawLimit24Hr',
    'withdrawLimit72Hr',
    'approvalFeeAmount',
    'minBalanceForFeesTransfer',
    'minBalanceForSweep',
    'minAmountInSweepTx',
  ]
  const {
    rpcNodes: _nodes,
    cause: _cause,
    notice: _notice,
    noticeCause: _noticeCause,
    sourceCount: _sources,
    ...facts
  } = blockchain()
  return {
    ...Object.fromEntries(limits.map((limit) => [limit, null])),
    id: 12,
    createdAt: AT,
    updatedAt: AT,
    address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    standard: 'erc20',
    CurrencyCode: 'USDC',
    BlockchainCode: 'BASE',
    currencyCode: 'USDC',
    blockchainCode: 'BASE',
    minDepositAmount: '1',
    visible: true,
    depositEnabled: true,
    withdrawalEnabled: false,
    walletPrecision: 6,
    abi: '',
    sweepAddressLockedDurationInMinutes: 30,
    sweepBatchSize: 3,
    sweepApprovalBatchSize: 50,
    sweepMaxWaitTimeInMinutes: 30,
    currencyID: 2,
    blockchainID: 4,
    currency: {
      id: 2,
      name: 'USD Coin',
      code: 'USDC',
      description: '',
      homepage: '',
      type: 'token',
      visible: true,
      depositEnabled: true,
      withdrawalEnabled: false,
      walletPrecision: 6,
      basePrecision: 6,
      iconUrl: '',
      price: null,
    },
    blockchain: facts,
    ...more,
  }
}

/** Books that balance, checked a moment ago. */
export function books(more: object = {}) {
  return {
    ok: true,
    checkedAt: new Date().toISOString(),
    debitsMinusCredits: [],
    chainDrift: [],
    headHash: '9f3c27d1f3b0c6e7a8d9e0f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3a01b',
    broken: [],
    unchecked: [],
    ...more,
  }
}

/** The price of a currency on BASE. */
export function price(currencyCode: string, more: object = {}) {
  return {
    blockchainCode: 'BASE',
    currencyCode,
    tokenAddress: '',
    standard: 'erc20',
    walletPrecision: 6,
    family: 'ETH_Family',
    price: '1',
    updatedAt: new Date().toISOString(),
    stale: false,
    ...more,
  }
}
