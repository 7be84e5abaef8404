/** What callers send about sweeps and approvals. */
import * as z from 'zod/mini'

import { id } from '../kit/codecs.ts'
import { text, withoutLeadingZeros } from '../kit/fields.ts'
import { alternatives, pageInput, spanInput } from '../kit/paging.ts'
import { addressSweepMachine, sweepMachine } from './machine.ts'

/** What can be done with the money of a row of balances (api.md S1). */
export const SWEEP_ACTIONS = [
  'no_balance',
  'sweep_not_allowed',
  'deploy_deposit_wallet',
  'pending_approval',
  'sweep',
  'sweep_in_progress',
] as const

export type SweepAction = (typeof SWEEP_ACTIONS)[number]

/** Addresses that one call may name: more than any batch holds. */
const MOST_ADDRESSES = 500

const optional = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema))

const addressIDs = z
  .array(id, { error: 'Choose at least one address' })
  .check(
    z.minLength(1, { error: 'Choose at least one address' }),
    z.maxLength(MOST_ADDRESSES, { error: `At most ${MOST_ADDRESSES} addresses can be chosen` }),
  )

const hash = text('Transaction hash', { max: 100 })

export const BalanceFilters = z.object({
  walletID: z.optional(id),
  blockchainCode: z.optional(z.string()),
  currencyCode: z.optional(z.string()),
  action: z.optional(z.enum(SWEEP_ACTIONS, { error: `Action must be one of: ${SWEEP_ACTIONS.join(', ')}` })),
})

export type BalanceFilters = z.output<typeof BalanceFilters>

export const SweepFilters = z.object({
  ...pageInput,
  ...spanInput,
  /** The same as `limit`. */
  count: z.optional(z.int()),
  walletID: z.optional(id),
  status: alternatives(z.enum(sweepMachine.states, { error: 'Unknown status' })),
  blockchainCode: alternatives(z.string()),
  currencyCode: alternatives(z.string()),
})

export type SweepFilters = z.output<typeof SweepFilters>

export const SweepQuestion = z.object({
  /** Absent: every deposit wallet. */
  walletID: optional(id),
  blockchainCode: text('Blockchain', { max: 50 }),
  currencyCode: text('Currency', { max: 50 }),
})

export type SweepQuestion = z.output<typeof SweepQuestion>

/** No field names a destination: the contract knows it. */
export const SweepStart = z.object({ planID: text('Plan', { max: 4000 }) })

/** The most that is paid for the network fee of the next try, in the native coin. */
export const SweepRetry = z.object({
  maxFee: optional(
    text('Fee', { max: 100 }).check(
      z.regex(/^\d+(\.\d+)?$/, { error: 'Fee must be a decimal number', abort: true }),
      withoutLeadingZeros,
      z.refine((value) => /[1-9]/.test(value), { error: 'Fee must be greater than 0' }),
    ),
  ),
})

export const TransactionReport = z
  .object({
    sweepID: optional(id),
    /** Those of one sweep, by which it is found where its id is not known. */
    addressIDs: z.optional(addressIDs),
    txHash: z.optional(hash),
    /** The same as `txHash`. */
    transactionHash: z.optional(hash),
  })
  .check(
    z.refine(({ sweepID, addressIDs: addresses }) => Boolean(sweepID ?? addresses), {
      error: 'Sweep is required',
      path: ['sweepID'],
    }),
    z.refine(({ txHash, transactionHash }) => (txHash ?? transactionHash) !== undefined, {
      error: 'Transaction hash is required',
      path: ['txHash'],
    }),
  )

export type TransactionReport = z.output<typeof TransactionReport>

export const ApprovalFilters = z.object({
  walletID: z.optional(id),
  /** Absent: those without a permission, `idle` and `pending-approval`. */
  state: z.optional(z.enum(addressSweepMachine.states, { error: 'Unknown state' })),
  limit: pageInput.limit,
  cursor: pageInput.cursor,
})

export type ApprovalFilters = z.output<typeof ApprovalFilters>

export const ApprovalRequest = z.object({
  walletID: optional(id),
  addressIDs: z.optional(addressIDs),
  /** Without addresses: as many of the richest. Absent too: as many as a batch may hold. */
  limit: z.optional(z.int().check(z.positive({ error: 'Limit must be greater than 0' }))),
})

export type ApprovalRequest = z.output<typeof ApprovalRequest>

export const BatchQuestion = z.object({ batchID: z.optional(z.string()), walletID: z.optional(id) }).check(
  z.refine(({ batchID, walletID }) => (batchID ?? walletID) !== undefined, {
    error: 'Batch is required',
    path: ['batchID'],
  }),
)

export const SweepInitiation = z.object({
  addressIDs,
  contractAddressID: optional(id),
  /** The hot wallet sends it; else the caller's own wallet does, and its hash is recorded. */
  execute: z.optional(z.boolean()),
})

export type SweepInitiation = z.output<typeof SweepInitiation>

export const SweepCancellation = z.object({ sweepID: optional(id), addressIDs: z.optional(addressIDs) }).check(
  z.refine(({ sweepID, addressIDs: addresses }) => Boolean(sweepID ?? addresses), {
    error: 'Sweep is required',
    path: ['sweepID'],
  }),
)

/** Longest text of a signature or signed transaction, as hexadecimal. */
const signedText = text('Signature', { max: 20_000 })

/** What the key of one address signed: one of the three, as the batch asked for it. */
const Signature = z.object({
  addressID: id,
  signedTransaction: z.optional(signedText),
  permit: z.optional(
    z.object({
      v: z.int(),
      r: text('r', { max: 66 }),
      s: text('s', { max: 66 }),
      deadline: text('Deadline', { max: 80 }),
      value: text('Value', { max: 80 }),
    }),
  ),
  authorization: z.optional(
    z.object({
      chainId: z.int(),
      address: text('Delegate', { max: 42 }),
      nonce: z.int(),
      yParity: z.int(),
      r: text('r', { max: 66 }),
      s: text('s', { max: 66 }),
    }),
  ),
})

export type Signature = z.output<typeof Signature>

export const SignaturePosting = z.object({
  batchID: text('Batch', { max: 100 }),
  signatures: z
    .array(Signature, { error: 'Signatures are required' })
    .check(
      z.minLength(1, { error: 'Signatures are required' }),
      z.maxLength(MOST_ADDRESSES, { error: `At most ${MOST_ADDRESSES} signatures can be sent at once` }),
    ),
})

export type SignaturePosting = z.output<typeof SignaturePosting>
