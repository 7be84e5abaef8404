import { FAMILIES } from '@kassa/primitives/chains/families.ts'
import * as z from 'zod/mini'

import { dec, id, int, ts } from '../kit/codecs.ts'
import { reasonShape } from '../kit/reason-shape.ts'
import type { ASSET_OBSTACLES } from './asset-obstacles.ts'
import type { INACTIVE_REASONS } from './inactive-reasons.ts'
import type { NODE_REASONS } from './node-reasons.ts'
import type { NETWORK_NOTICES, STOP_REASONS } from './reading-reasons.ts'

const familyName = z.enum(FAMILIES.map(({ family }) => family))

/** `well`: usable. The others are not used: after failures, behind the best, on another branch, refused. */
export const NODE_STATES = ['healthy', 'backoff', 'lagging', 'ahead', 'forked', 'wrong_network'] as const

/** The health of a node, as the watcher last measured it. */
export const NodeHealth = z.object({
  /** 0 to 100; the preferred node is asked first from 60 up. */
  score: int,
  state: z.enum(NODE_STATES),
  /** Why it is not healthy; null also for health that an older version stored. */
  cause: z.nullable(reasonShape<typeof NODE_REASONS>()),
  /** The same, as a sentence in English. */
  reason: z.nullable(z.string()),
  /** 95 of 100 calls were faster. */
  latencyMs: z.nullable(int),
  lastBlockSeen: z.nullable(int),
  lastBlockTimestamp: z.nullable(ts),
  consecutiveFails: int,
  checkedAt: ts,
})

/** A node that a blockchain is read through; its secrets never leave the server. */
export const Node = z.object({
  id,
  createdAt: ts,
  updatedAt: ts,
  blockchainId: id,
  /** User-info and key parts replaced by `•••`. */
  url: z.string(),
  nodeType: z.string(),
  /** The program that it says it runs; empty before it answered, or where it does not say. */
  client: z.string(),
  isPreferred: z.boolean(),
  isActive: z.boolean(),
  maxDailyCalls: z.nullable(int),
  priority: int,
  chainIdentifier: z.nullable(z.string()),
  apiKey: z.null(),
  authUsername: z.null(),
  authPassword: z.null(),
  hasCredentials: z.boolean(),
  /** Null before it was first asked. */
  health: z.nullable(NodeHealth),
})

/** What the nodes of a blockchain answered just now. */
export const ConnectionTest = z.object({
  /** At least one node is good. */
  success: z.boolean(),
  nodes: z.array(
    z.object({
      id,
      url: z.string(),
      connected: z.boolean(),
      error: z.nullable(z.string()),
      /** It answers, and keeps no records of what contracts pass on (TRON: `vm.saveInternalTx` is off); null: not seen. */
      shortcoming: z.nullable(z.enum(['internal_transfers'])),
      chainId: z.nullable(int),
      healthScore: int,
      avgLatencyMs: z.nullable(int),
      lastBlockSeen: z.nullable(int),
      lastBlockTimestamp: z.nullable(ts),
      consecutiveFails: int,
    }),
  ),
})

const blockchainFields = {
  id,
  createdAt: ts,
  updatedAt: ts,
  code: z.string(),
  name: z.string(),
  family: familyName,
  client: z.string(),
  height: int,
  heightTimestamp: z.nullable(ts),
  explorerAddress: z.string(),
  explorerTransaction: z.string(),
  minConfirmations: int,
  chainID: z.nullable(int),
  status: z.enum(['active', 'inactive']),
  isSCW: z.boolean(),
  blockchainFamilyID: id,
  isCreate2Supported: z.boolean(),
  networkMode: z.enum(['mainnet', 'testnet', 'sandbox']),
  lagBlocks: z.nullable(int),
}

/** Why a blockchain is inactive or not read, as a sentence that says what to do. */
const reason = z.nullable(z.string())

export const Blockchain = z.object({
  ...blockchainFields,
  rpcNodes: z.array(Node),
  reason,
  /** Why it is inactive or not read; `reason` is its sentence. */
  cause: z.nullable(reasonShape<typeof INACTIVE_REASONS & typeof STOP_REASONS>()),
  /** What operators should know although reading continues: finality has stalled, or a block could not be read. */
  notice: z.nullable(z.string()),
  /** The same as a code; `notice` is its sentence. */
  noticeCause: z.nullable(reasonShape<typeof NETWORK_NOTICES>()),
  /** How many different operators run the nodes that are switched on; with fewer than two, one of them can lie. */
  sourceCount: int,
})

/** The values of a blockchain that never change while the program runs. */
export const BlockchainFacts = z.object({
  id,
  code: z.string(),
  name: z.string(),
  family: familyName,
  chainID: z.nullable(int),
  explorerAddress: z.string(),
  explorerTransaction: z.string(),
  addressPattern: z.string(),
  nativeCurrency: z.string(),
  sweepable: z.boolean(),
})

export const BlockchainFamily = z.object({ id, family: familyName })

export const Currency = z.object({
  id,
  name: z.string(),
  code: z.string(),
  description: z.string(),
  homepage: z.string(),
  type: z.enum(['coin', 'token']),
  visible: z.boolean(),
  depositEnabled: z.boolean(),
  withdrawalEnabled: z.boolean(),
  walletPrecision: int,
  basePrecision: int,
  iconUrl: z.string(),
  price: z.nullable(dec),
})

const decOrNull = z.nullable(dec)

/** One currency on one blockchain. */
export const Asset = z.object({
  id,
  createdAt: ts,
  updatedAt: ts,
  address: z.string(),
  standard: z.string(),
  /** Both spellings: existing clients read one or the other. */
  CurrencyCode: z.string(),
  BlockchainCode: z.string(),
  currencyCode: z.string(),
  blockchainCode: z.string(),
  depositFee: decOrNull,
  minDepositAmount: decOrNull,
  minCollectionAmount: decOrNull,
  withdrawFee: decOrNull,
  minWithdrawAmount: decOrNull,
  withdrawLimit24Hr: decOrNull,
  withdrawLimit72Hr: decOrNull,
  visible: z.boolean(),
  depositEnabled: z.boolean(),
  withdrawalEnabled: z.boolean(),
  walletPrecision: int,
  abi: z.string(),
  approvalFeeAmount: decOrNull,
  minBalanceForFeesTransfer: decOrNull,
  minBalanceForSweep: decOrNull,
  sweepAddressLockedDurationInMinutes: int,
  sweepBatchSize: int,
  sweepApprovalBatchSize: int,
  sweepMaxWaitTimeInMinutes: int,
  minAmountInSweepTx: decOrNull,
  currencyID: id,
  blockchainID: id,
  currency: Currency,
  blockchain: z.object({ ...blockchainFields, reason }),
})

/** An asset as anybody may see it. */
export const PublicAsset = z.object({
  id,
  blockchainCode: z.string(),
  network: z.string(),
  currencyCode: z.string(),
  currency: z.string(),
  tokenAddress: z.string(),
  standard: z.string(),
  walletPrecision: int,
  family: familyName,
  blockchainID: id,
  currencyID: id,
})

/** A currency on a blockchain, as one project sees it. */
export const ProjectAsset = z.object({
  id,
  blockchainID: id,
  blockchainCode: z.string(),
  currencyID: id,
  currencyCode: z.string(),
  accepted: z.boolean(),
  /** A payer could choose it now, if it is accepted. */
  ready: z.boolean(),
  /** Why not: the sentence of `cause`. */
  reason: z.nullable(z.string()),
  cause: z.nullable(reasonShape<typeof ASSET_OBSTACLES>()),
})

export const PaymentOptionSwitch = z.object({
  /** Blockchain and currency, such as `BASE:USDC`. */
  optionKey: z.string(),
  enabled: z.boolean(),
  globallyEnabled: z.boolean(),
  originBlockchainCode: z.string(),
  originNative: z.literal(true),
  unmet: z.array(
    z.object({
      kind: z.enum(['wallet-deployed', 'token-accepted', 'unverified']),
      chain: z.string(),
      token: z.optional(z.string()),
    }),
  ),
})

export const PaymentOptionSwitches = z.object({ mainnet: z.boolean(), options: z.array(PaymentOptionSwitch) })

export type NodeHealth = z.output<typeof NodeHealth>
export type ConnectionTest = z.output<typeof ConnectionTest>
export type ProjectAsset = z.output<typeof ProjectAsset>
export type PaymentOptionSwitch = z.output<typeof PaymentOptionSwitch>
export type Node = z.output<typeof Node>
export type Blockchain = z.output<typeof Blockchain>
export type BlockchainFacts = z.output<typeof BlockchainFacts>
export type Currency = z.output<typeof Currency>
export type Asset = z.output<typeof Asset>
export type PublicAsset = z.output<typeof PublicAsset>
