import * as z from 'zod/mini'

import { clearableText, oneOf, text, wholeNumber } from '../kit/fields.ts'

/** The most an operator may set; a higher number is a typing error. */
const MOST_CONFIRMATIONS = 1_000

export const NODE_TYPES = ['free', 'paid'] as const

/** Secrets of a node: absent fields stay, empty ones are cleared. They are never returned. */
const credentials = {
  apiKey: clearableText('API key', { max: 1_000 }),
  authUsername: clearableText('User name', { max: 255 }),
  authPassword: clearableText('Password', { max: 1_000 }),
}

/** A node's address may carry user-info and keys, unlike any other address; they go to the vault. */
export const NodeUrl = text('URL', { max: 2_048 }).check(
  z.refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''), {
    error: 'URL must be an http or https address',
  }),
)

const nodeFields = {
  nodeType: z.optional(oneOf('Node type', NODE_TYPES)),
  /** Lower is asked first. */
  priority: z.optional(wholeNumber('Priority', 0, 1_000)),
  /** The most calls a UTC day; null: as many as are needed. */
  maxDailyCalls: z.optional(z.nullable(wholeNumber('Calls a day', 100, 1_000_000_000))),
  ...credentials,
  /** Asked first while it is healthy; at most one per blockchain. */
  isPreferred: z.optional(z.boolean({ error: 'Preferred must be true or false' })),
}

export const NewNode = z.object({ url: NodeUrl, ...nodeFields })

/** Switching a node on again says that an operator has checked it: a forked node is used again. */
export const NodeChange = z.object({
  url: z.optional(NodeUrl),
  ...nodeFields,
  isActive: z.optional(z.boolean({ error: 'Active must be true or false' })),
})

const TEMPLATE = /^(https?:\/\/|\/)\S*$/

function template(label: string, mark: '{tx}' | '{address}') {
  return z.optional(
    z.pipe(
      z.nullable(z.string({ error: `${label} must be text` })),
      z.pipe(
        z.transform((value: string | null) => (value ?? '').trim()),
        z.string().check(
          z.maxLength(500, { error: `${label} must be at most 500 characters long` }),
          z.refine((value) => value === '' || TEMPLATE.test(value), {
            error: `${label} must be an http or https address; ${mark} in it is replaced`,
          }),
        ),
      ),
    ),
  )
}

export const BlockchainChange = z.object({
  name: clearableText('Name', { max: 50 }),
  /** Accepted from older programs and ignored: the node itself says what it runs. */
  client: clearableText('Client', { max: 100 }),
  /**
   * The URL of the node to ask first; added when it is new, and an empty text changes nothing. The server checks it after the
   * family, because nodes of unsupported families have other kinds of addresses.
   */
  server: clearableText('URL', { max: 2_048 }),
  serverApiKey: credentials.apiKey,
  serverUsername: credentials.authUsername,
  serverPassword: credentials.authPassword,
  /** `{address}` or `{tx}` is replaced; without it the value is appended. Empty: back to the default. */
  explorerAddress: template('Explorer for addresses', '{address}'),
  explorerTransaction: template('Explorer for transactions', '{tx}'),
  minConfirmations: z.optional(wholeNumber('Confirmations', 1, MOST_CONFIRMATIONS)),
  status: z.optional(oneOf('Status', ['active', 'inactive'])),
  /** With `rescan`, the block to read again from; 0, which older programs send, is ignored. */
  height: z.optional(wholeNumber('Height', 0, Number.MAX_SAFE_INTEGER)),
  rescan: z.optional(z.boolean({ error: 'Rescan must be true or false' })),
})

/** A decimal of at least 0 that may be absent; null or empty clears it. */
function limit(label: string) {
  return z.optional(
    z.pipe(
      z.nullable(z.string({ error: `${label} must be a decimal number` })),
      z.pipe(
        z.transform((value: string | null) => (value ?? '').trim()),
        z.string().check(z.regex(/^(\d{1,60}(\.\d{1,36})?)?$/, { error: `${label} must be a decimal number` })),
      ),
    ),
  )
}

const flag = (label: string) => z.optional(z.boolean({ error: `${label} must be true or false` }))

/** The settings of a currency on a blockchain that operators may change; address, standard and precision are not among them. */
export const AssetChange = z.object({
  visible: flag('Visible'),
  depositEnabled: flag('Deposits'),
  withdrawalEnabled: flag('Withdrawals'),
  depositFee: limit('Deposit fee'),
  minDepositAmount: limit('Smallest deposit'),
  minCollectionAmount: limit('Smallest collection'),
  withdrawFee: limit('Withdrawal fee'),
  minWithdrawAmount: limit('Smallest withdrawal'),
  withdrawLimit24Hr: limit('Withdrawal limit for 24 hours'),
  withdrawLimit72Hr: limit('Withdrawal limit for 72 hours'),
  approvalFeeAmount: limit('Approval fee'),
  minBalanceForFeesTransfer: limit('Smallest balance for a transfer of fees'),
  minBalanceForSweep: limit('Smallest balance for a sweep'),
  minAmountInSweepTx: limit('Smallest amount of a sweep'),
  sweepAddressLockedDurationInMinutes: z.optional(wholeNumber('Lock of swept addresses', 1, 10_080)),
  sweepBatchSize: z.optional(wholeNumber('Addresses per sweep', 1, 500)),
  sweepApprovalBatchSize: z.optional(wholeNumber('Addresses per approval', 1, 500)),
  sweepMaxWaitTimeInMinutes: z.optional(wholeNumber('Longest wait of a sweep', 1, 10_080)),
})

/** The whole accepted set: ids of B9, or names. */
export const AcceptedAssets = z.object({
  blockchainCurrencies: z.array(
    z.union([z.int(), z.object({ blockchainCode: z.string(), currencyCode: z.string() })], {
      error: 'Name each currency by its id, or by blockchainCode and currencyCode',
    }),
    { error: 'Currencies must be a list' },
  ),
})

export const PaymentOptionsChange = z.object({
  options: z.array(
    z.object({ optionKey: text('Option'), enabled: z.boolean({ error: 'Enabled must be true or false' }) }),
    { error: 'Options must be a list' },
  ),
})

export const PaymentOptionChange = z.object({ enabled: z.boolean({ error: 'Enabled must be true or false' }) })

export type NewNode = z.output<typeof NewNode>
export type NodeChange = z.output<typeof NodeChange>
export type BlockchainChange = z.output<typeof BlockchainChange>
export type AssetChange = z.output<typeof AssetChange>
export type AcceptedAssets = z.output<typeof AcceptedAssets>
export type PaymentOptionsChange = z.output<typeof PaymentOptionsChange>
