/** What Kassa answers about balances and sweeps (api.md 4.1). */
import * as z from 'zod/mini'

import { dec, id, int, ts, usd } from '../kit/codecs.ts'
import { reasonShape } from '../kit/reason-shape.ts'
import { AccountPosting } from '../ledger/schemas.ts'
import { SWEEP_ACTIONS } from './inputs.ts'
import { sweepItemMachine, sweepMachine } from './machine.ts'
import type { SweepWaits } from './reasons.ts'

const text = z.string()
const textOrNull = z.nullable(text)

const why = reasonShape<SweepWaits>()

/** The last error, for those who fix it. `recoverable`: it ends by itself or with more money; `infra`: it needs a change. */
export const SweepError = z.object({
  statusCode: text,
  category: z.enum(['recoverable', 'infra']),
  /** The sentence of `cause`. */
  reason: text,
  cause: why,
  actionHint: textOrNull,
  /** Whether it is tried again automatically. */
  retryable: z.boolean(),
  occurredAt: ts,
  address: textOrNull,
  txHash: textOrNull,
  hotWalletAddress: textOrNull,
})

export type SweepError = z.output<typeof SweepError>

/**
 * How the deposits of a wallet move: by its contract alone, with a permission that the key of each address signed, or in
 * transactions that a device with the wallet's keys signs (BTC).
 */
export const SWEEP_PATHS = ['contract', 'permission', 'device'] as const

/** What a wallet's addresses hold of one asset, of those with the same action. */
export const BalanceRow = z.object({
  walletName: text,
  walletID: id,
  walletActive: z.boolean(),
  blockchainCode: text,
  blockchainFamily: text,
  blockchainID: int,
  currencyCode: text,
  currencyAddress: textOrNull,
  currencyID: int,
  amount: dec,
  amountUSD: z.nullable(usd),
  addressCount: int,
  /** The same as `addressCount`. */
  count: int,
  /** Ids of the first and the last address of the row. */
  startID: z.nullable(id),
  endID: z.nullable(id),
  action: z.enum(SWEEP_ACTIONS),
  /** Why this action applies and no other; null where it is ready. */
  waits: z.nullable(why),
  path: z.enum(SWEEP_PATHS),
  /** Whether pages and approvals work on this network; on others the wallet is swept automatically. */
  manual: z.boolean(),
  hotWalletID: z.nullable(id),
  hotWalletName: textOrNull,
  hotWalletActive: z.nullable(z.boolean()),
  hotWalletAddress: textOrNull,
  coldWalletConfigured: z.boolean(),
  defaultColdWalletSet: z.boolean(),
  coldWalletName: textOrNull,
  fundCollectorAddress: textOrNull,
  hasWalletScw: z.boolean(),
  isSCWDeploymentPending: z.boolean(),
  nextProbableSweepAt: z.nullable(ts),
  sweepInProgressID: z.nullable(id),
  sweepInProgressTxHash: textOrNull,
  /** Of a sweep that is under way: how many addresses have arrived. */
  sweptCount: z.nullable(int),
  lastSweepError: z.nullable(SweepError),
})

export type BalanceRow = z.output<typeof BalanceRow>

/** What started a sweep: an operator, or one of the thresholds of its asset; `foreign`: a stranger called the contract. */
export const SWEEP_TRIGGERS = ['manual', 'amount', 'count', 'time', 'foreign'] as const

export type SweepTrigger = (typeof SWEEP_TRIGGERS)[number]

export const Sweep = z.object({
  id,
  createdAt: ts,
  updatedAt: ts,
  walletID: id,
  walletName: text,
  blockchainCode: text,
  currencyCode: text,
  currencyAddress: textOrNull,
  /** What it is to move; `sweptAmount` is what logs of the chain prove. */
  amount: dec,
  amountInUSD: z.nullable(usd),
  sweptAmount: dec,
  addressCount: int,
  sweptCount: int,
  failedCount: int,
  fundCollectorAddress: text,
  status: z.enum(sweepMachine.states),
  waits: z.nullable(why),
  txHash: textOrNull,
  explorerTransaction: textOrNull,
  networkFee: z.nullable(dec),
  networkFeeCurrency: textOrNull,
  networkFeeInUSD: z.nullable(usd),
  confirmations: int,
  confirmationRequired: int,
  trigger: z.enum(SWEEP_TRIGGERS),
  path: z.enum(SWEEP_PATHS),
  /** Who signs its transaction: a hot wallet of the server, the wallet of an operator, a signing device, or a stranger. */
  sentBy: z.enum(['hot-wallet', 'own-wallet', 'stranger', 'device']),
  startedBy: z.nullable(z.object({ id, name: text, email: text })),
  /** Until when its transaction must be recorded. */
  expiresAt: z.nullable(ts),
  lastSweepError: z.nullable(SweepError),
  /** Projects whose money it moves. */
  externalPlatformIDs: z.array(id),
})

export type Sweep = z.output<typeof Sweep>

export const SweepItem = z.object({
  addressID: id,
  address: text,
  explorerAddress: textOrNull,
  externalPlatformID: z.nullable(id),
  amount: dec,
  state: z.enum(sweepItemMachine.states),
  waits: z.nullable(why),
})

export type SweepItem = z.output<typeof SweepItem>

/** One attempt to send a sweep; those that were replaced never count twice. */
export const SweepTransaction = z.object({
  txHash: text,
  explorerTransaction: textOrNull,
  state: z.enum(['sent', 'replaced', 'mined', 'failed']),
  at: ts,
  blockNumber: z.nullable(int),
  /** Most that it could cost; `fee` is what it did. */
  maxFee: z.nullable(dec),
  fee: z.nullable(dec),
})

export type SweepTransaction = z.output<typeof SweepTransaction>

export const SweepDetail = z.extend(Sweep, {
  addresses: z.array(SweepItem),
  transactions: z.array(SweepTransaction),
  errors: z.array(SweepError),
  journal: z.array(AccountPosting),
})

export type SweepDetail = z.output<typeof SweepDetail>

export const SweepMetrics = z.object({
  totalUnsweptBalance: usd,
  /** Of it: what a sweep would take now. */
  eligible: usd,
  /** Sweeps of the last seven days that failed. */
  failedSweeps: int,
  sweptLast24h: usd,
  activeSweep: z.object({ sweepsInProgress: int, amountInUSD: usd }),
})

export type SweepMetrics = z.output<typeof SweepMetrics>

/** One transaction of a plan, with its price. */
export const PlannedBatch = z.object({
  walletID: id,
  walletName: text,
  fundCollectorAddress: text,
  addressCount: int,
  amount: dec,
  amountInUSD: z.nullable(usd),
  /** In the native coin of the network, `feeCurrency` of the plan. */
  estimatedFee: dec,
  estimatedFeeInUSD: z.nullable(usd),
  /** Of the amount. */
  feePercent: z.nullable(dec),
})

export const SweepPlan = z.object({
  planID: text,
  expiresAt: ts,
  blockchainCode: text,
  currencyCode: text,
  feeCurrency: text,
  batches: z.array(PlannedBatch),
  skipped: z.array(z.object({ reason: why, addressCount: int, amount: dec, amountInUSD: z.nullable(usd) })),
  /** Where all batches go; null where there is none, or they go to several. */
  fundCollectorAddress: textOrNull,
})

export type SweepPlan = z.output<typeof SweepPlan>

export const StartedSweeps = z.object({ sweeps: z.array(Sweep) })
export const ChangedSweep = z.object({ sweep: Sweep })
