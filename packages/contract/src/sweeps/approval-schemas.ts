/** What Kassa answers about permissions of deposit addresses (api.md K10–K16). */
import * as z from 'zod/mini'

import { dec, id, int, ts, usd } from '../kit/codecs.ts'
import { codeShape } from '../kit/reason-shape.ts'
import type { CodeOf } from '../kit/reason.ts'
import { addressSweepMachine, PERMISSION_KINDS, sweepPermissionMachine } from './machine.ts'
import type { SIGNATURE_REFUSALS } from './reasons.ts'
import { Sweep } from './schemas.ts'

const text = z.string()
const textOrNull = z.nullable(text)

/** The sweep contract that addresses allow to move their money. */
const SweepContract = z.object({ id, address: text, fundCollectorAddress: text })

export const ApprovalOverview = z.object({
  counts: z.object({ idle: int, pendingApproval: int, approved: int, sweepInitiated: int }),
  contract: z.nullable(SweepContract),
  gas: z.object({ hotWalletAddress: textOrNull, currency: text, balance: dec, needed: dec }),
  batchSize: int,
  approvalBatchSize: int,
})

export type ApprovalOverview = z.output<typeof ApprovalOverview>

export const GAS_STATES = ['none', 'needed', 'sent', 'confirmed'] as const

/** An address that holds money which its key must allow to be moved. */
export const ApprovalAddress = z.object({
  addressID: id,
  address: text,
  path: textOrNull,
  walletID: id,
  walletName: text,
  kind: z.enum(PERMISSION_KINDS),
  balance: dec,
  balanceInUSD: z.nullable(usd),
  nativeBalance: dec,
  needsGas: dec,
  gasState: z.enum(GAS_STATES),
  approvalState: z.enum(['none', ...sweepPermissionMachine.states]),
  lockedUntil: z.nullable(ts),
  batchID: textOrNull,
  state: z.enum(addressSweepMachine.states),
})

export type ApprovalAddress = z.output<typeof ApprovalAddress>

export const ApprovalPage = z.object({
  data: z.array(ApprovalAddress),
  total: int,
  nextCursor: textOrNull,
})

export type ApprovalPage = z.output<typeof ApprovalPage>

/** What the key of one address is to sign: a transaction, a permit or a delegation, as `kind` says. */
export const ApprovalItem = z.object({
  addressID: id,
  kind: z.enum(PERMISSION_KINDS),
  from: text,
  path: textOrNull,
  chainId: z.nullable(int),
  to: textOrNull,
  data: textOrNull,
  value: z.nullable(dec),
  nonce: z.nullable(int),
  gasLimit: z.nullable(dec),
  /** Wei for a unit of gas; on TRX the most it may cost, in sun. */
  maxFee: z.nullable(dec),
  maxPriorityFee: z.nullable(dec),
  permit: z.nullable(
    z.object({
      domain: z.record(z.string(), z.unknown()),
      types: z.record(z.string(), z.unknown()),
      message: z.record(z.string(), z.unknown()),
    }),
  ),
  authorization: z.nullable(z.object({ chainId: int, address: text, nonce: int })),
  /** TRX: the bytes to sign, hexadecimal. */
  rawData: textOrNull,
})

export type ApprovalItem = z.output<typeof ApprovalItem>

export const ApprovalBatch = z.object({
  batchID: text,
  expiresAt: ts,
  addresses: z.array(ApprovalAddress),
  approvals: z.array(ApprovalItem),
  gasTopUps: z.array(z.object({ addressID: id, amount: dec })),
})

export type ApprovalBatch = z.output<typeof ApprovalBatch>

/** The file for an offline signer. It holds nothing secret, and the signer compares everything with what it knows itself. */
export const SigningJob = z.object({
  batchID: textOrNull,
  expiresAt: z.nullable(ts),
  blockchainCode: text,
  currencyCode: text,
  currencyAddress: textOrNull,
  precision: int,
  contract: z.nullable(SweepContract),
  data: z.array(
    z.object({
      addressID: id,
      address: text,
      path: textOrNull,
      balance: dec,
      state: z.enum(addressSweepMachine.states),
      approval: z.nullable(ApprovalItem),
    }),
  ),
})

export type SigningJob = z.output<typeof SigningJob>

export const SignatureResult = z.object({
  accepted: int,
  rejected: z.array(z.object({ addressID: id, code: codeShape<CodeOf<typeof SIGNATURE_REFUSALS>>(), text })),
  data: z.array(
    z.object({
      addressID: id,
      state: z.enum(addressSweepMachine.states),
      approvalState: z.enum(['none', ...sweepPermissionMachine.states]),
      txHash: textOrNull,
    }),
  ),
})

export type SignatureResult = z.output<typeof SignatureResult>

export const InitiatedSweep = z.object({
  sweepID: id,
  sweep: Sweep,
  transaction: z.object({
    to: text,
    data: text,
    value: dec,
    chainId: z.nullable(int),
    gasLimit: dec,
    maxFee: dec,
  }),
  fundCollector: text,
  expiresAt: ts,
})

export type InitiatedSweep = z.output<typeof InitiatedSweep>
