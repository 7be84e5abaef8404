import * as z from 'zod/mini'

import { int } from '../kit/codecs.ts'
import { type Cause, type CodeOf, reason, sentence } from '../kit/reason.ts'

const text = z.string()

const funds = z.object({ amount: text, currency: text, address: text })
const network = z.object({ chain: text })

/** Why deposits stay where they are, or a sweep waits or failed (money.md 6.9); `statusCode` of a SweepError is the code. */
export const SWEEP_WAITS = {
  LOW_NATIVE_BALANCE: reason({
    params: funds,
    text: ({ amount, currency, address }) => `Needs ${amount} ${currency} more on the hot wallet ${address}.`,
    ends: 'When it has arrived.',
  }),
  GAS_TOO_HIGH: reason({
    /** Prices of one unit of gas, in the unit that people use on the network. */
    params: z.object({ chain: text, current: text, allowed: text, unit: text }),
    text: ({ chain, current, allowed, unit }) =>
      `The network fee on ${chain} is ${current} ${unit}; this sweep pays at most ${allowed} ${unit}.`,
    ends: 'When the fee falls.',
  }),
  HOT_WALLET_MISSING: reason({
    params: network,
    text: ({ chain }) => `No active hot wallet pays network fees on ${chain}. Add one.`,
  }),
  FUND_SWEEPER_NOT_DEPLOYED: reason({
    params: network,
    text: ({ chain }) => `The wallet has no sweep contract in use on ${chain}. Deploy one, or use its own again.`,
    ends: 'When it has one.',
  }),
  DEPOSIT_NOT_DEPLOYED_LOW_GAS: reason({
    params: funds,
    text: ({ amount, currency, address }) =>
      `The first sweep of an address creates its contract: that needs ${amount} ${currency} more on the hot wallet ${address}.`,
    ends: 'When it has arrived.',
  }),
  DEPOSIT_NOT_DEPLOYED_FUND_SWEEPER_MISSING: reason({
    params: network,
    text: ({ chain }) =>
      `The first sweep of an address creates its contract: that needs the sweep contract on ${chain}. Deploy it.`,
    ends: 'When it is deployed.',
  }),
  NODE_CONNECTION_FAILED: reason({
    params: network,
    text: ({ chain }) => `No node of ${chain} answers.`,
    ends: 'When a node answers again.',
  }),
  COLLECTOR_CHANGE_PENDING: reason({
    /** `until`: from when it may be accepted, RFC 3339. */
    params: z.object({ contract: text, current: text, proposed: text, until: text }),
    text: ({ contract, current, proposed, until }) =>
      `The owner of the contract ${contract} proposes ${proposed} as its new end, from ${until} on. Until then sweeps go to ${current}. If nobody of yours did this, veto it with the key of ${current}.`,
  }),
  TOKEN_REFUSED: reason({
    params: z.object({ address: text, message: z.nullable(text) }),
    text: ({ address, message }) =>
      `The token refuses to move money of ${address}${message === null ? '.' : `: ${message}.`}`,
    ends: 'It is tried again once a day.',
  }),
  BELOW_FEE: reason({
    params: z.object({ valueInUSD: text, costInUSD: text }),
    text: ({ valueInUSD, costInUSD }) => `Moving it costs $${costInUSD}, too much for its value of $${valueInUSD}.`,
    ends: 'When more has arrived there, or the network fee falls.',
  }),
  BELOW_MINIMUM: reason({
    params: z.object({ minimum: text, missing: text, currency: text }),
    text: ({ minimum, missing, currency }) =>
      `Addresses below ${minimum} ${currency} stay where they are; the largest lacks ${missing} ${currency}.`,
    ends: 'When more has arrived there.',
  }),
  NOT_DUE: reason({
    /** `until`: when the oldest money has waited for long enough, RFC 3339. */
    params: z.object({ minimumInUSD: text, until: z.nullable(text) }),
    text: ({ minimumInUSD, until }) =>
      `It is swept by itself once $${minimumInUSD} are ready${until === null ? '.' : `, or at ${until}.`}`,
    ends: 'When enough is ready, or it has waited for long enough.',
  }),
  NEEDS_PERMISSION: sentence('The key of each address must allow it once. Approve it with the signer.'),
  PERMISSION_STALE: sentence('What the key of the address signed cannot be used any more. Sign it again.'),
  QUARANTINED: sentence('A deposit of the address is on hold. Decide about it first.'),
  DEPOSIT_GONE: sentence('The network took a deposit of the address back, or somebody else moved its money.'),
  ADDRESS_LOCKED: reason({
    params: z.object({ until: text }),
    text: ({ until }) => `The addresses are part of another sweep until ${until}.`,
    ends: 'When that sweep ends, or at that time.',
  }),
  VAULT_LOCKED: sentence('The vault that holds the key of the hot wallet is locked. Unlock it.'),
  WALLET_LOCKED: sentence('The hot wallet waits for a person: its key was used elsewhere.'),
  COLD_WALLET_MISSING: reason({
    params: network,
    text: ({ chain }) =>
      `No active cold wallet of yours is the end of this wallet on ${chain}. Add it, or activate it.`,
  }),
  COLD_WALLET_TOO_NEW: reason({
    params: z.object({ address: text, until: text }),
    /** It is new, or was activated again. */
    text: ({ address, until }) => `The cold wallet ${address} still waits: it receives money from ${until} on.`,
    ends: 'At that time.',
  }),
  NO_PRICE: reason({
    params: z.object({ currency: text }),
    text: ({ currency }) => `There is no trustworthy price of ${currency} now, so nobody can say whether it pays.`,
    ends: 'When the price sources agree again.',
  }),
  WOULD_FAIL: reason({
    params: z.object({ reason: text }),
    text: ({ reason: why }) => `The network would refuse it: ${why}.`,
  }),
  BUSY: sentence('The hot wallet has as many transactions under way as nodes keep. It follows in its turn.'),
  STUCK: sentence('No block takes it: the network fee is above its ceiling. Raise the ceiling, or wait.'),
  CONFIRMATIONS: reason({
    params: z.object({ current: int, required: int }),
    text: ({ current, required }) => `It has ${current} of ${required} confirmations.`,
    ends: 'When enough blocks have been built on it.',
  }),
  WAITS_FOR_TRANSACTION: reason({
    params: z.object({ until: text }),
    text: ({ until }) => `It waits until your wallet sends its transaction, at most until ${until}.`,
    ends: 'When the transaction is recorded, or at that time.',
  }),
  WAITS_FOR_SIGNATURE: reason({
    params: z.object({ until: text }),
    text: ({ until }) => `It waits until a device with the keys of the wallet signs it, at most until ${until}.`,
    ends: 'When it is signed, or at that time.',
  }),
  TRANSACTION_NOT_SEEN: reason({
    params: z.object({ txHash: text }),
    text: ({ txHash }) => `No block took the transaction ${txHash} in time. Its addresses are free again.`,
  }),
  TRANSACTION_MISMATCH: reason({
    params: z.object({ txHash: text }),
    text: ({ txHash }) => `The transaction ${txHash} does something else than this sweep.`,
  }),
  TRANSACTION_FAILED: reason({
    params: z.object({ txHash: text, reason: text }),
    text: ({ txHash, reason: why }) => `The transaction ${txHash} moved nothing. ${why}`,
  }),
} as const

export type SweepWaits = typeof SWEEP_WAITS
export type SweepWait = CodeOf<SweepWaits>
export type SweepCause = Cause<SweepWaits>

/** Why a signature that was sent for an address is refused (money.md 6.6). */
export const SIGNATURE_REFUSALS = {
  UNREADABLE: sentence('It is no signature or signed transaction of this network.'),
  NOT_IN_BATCH: sentence('The address is not part of this batch.'),
  BATCH_EXPIRED: sentence('The batch is too old: its addresses were released. Start a new one.'),
  WRONG_SIGNER: reason({
    params: z.object({ expected: text, found: text }),
    text: ({ expected, found }) => `It was signed by ${found}, not by ${expected}. Was another seed used?`,
  }),
  WRONG_NETWORK: sentence('It is for another network.'),
  WRONG_NONCE: reason({
    params: z.object({ expected: int, found: int }),
    text: ({ expected, found }) => `It has the number ${found}, and the next one of the address is ${expected}.`,
  }),
  WRONG_CALL: sentence('It does something else than what was asked for. It is not used.'),
  LAPSED: sentence('It is not valid any more. Start a new batch and sign again.'),
} as const

export type SignatureRefusal = Cause<typeof SIGNATURE_REFUSALS>

const input = z.object({ input: int })

/** Why a batch that came back signed is refused (money.md 6.11). */
export const PSBT_REFUSALS = {
  UNREADABLE: sentence(
    'It is no PSBT. Give back the file, or the text that starts with cHNidP, as your wallet saved it.',
  ),
  OTHER_INPUTS: sentence('It spends other coins than this batch. Download the batch again and sign that one.'),
  OTHER_OUTPUT: sentence('It pays another address than this batch. Do not trust the device or program that signed it.'),
  OTHER_FEE: sentence(
    'It pays another network fee than this batch. Sign the batch unchanged, without a fee of your own.',
  ),
  OTHER_TERMS: sentence(
    'Its version, lock time or sequence numbers are others than those of this batch. Sign it unchanged.',
  ),
  NOT_SIGNED: reason({
    params: input,
    text: ({ input: at }) =>
      `Its input ${at} is not signed by the key of its address. Sign with the seed of this wallet.`,
  }),
  OTHER_SIGHASH: reason({
    params: input,
    text: ({ input: at }) =>
      `The signature of its input ${at} does not cover the whole transaction. Sign with the usual type, SIGHASH_ALL.`,
  }),
  WRONG_SIGNATURE: reason({
    params: input,
    text: ({ input: at }) => `The signature of its input ${at} is not one of this transaction. Sign the batch again.`,
  }),
} as const
