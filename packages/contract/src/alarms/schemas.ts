import * as z from 'zod/mini'

import { id, ts } from '../kit/codecs.ts'

/** Kinds of alarms. `catalogue.ts` has their texts; only code that prints an alarm loads it. */
export const ALARM_KINDS = [
  /** The reader is far behind a blockchain's head. */
  'chain_behind',
  /** No node of a blockchain has had a new block for long. */
  'chain_silent',
  /** Reading stopped until a person decides. */
  'chain_halted',
  /** A block is quarantined because it could not be read. */
  'block_quarantined',
  /** A node serves another branch than the others at a height that is final. */
  'node_forked',
  /** Two nodes disagree about a deposit. */
  'node_disagreement',
  /** A deposit was found by the audit, a rescan or a payer, not by the reader. */
  'watch_missed',
  /** The contract of a listed asset has changed. */
  'asset_changed',
  /** Money left a hot wallet in a transaction that the server did not send. */
  'hot_spent_outside',
  /** A chain reverted a deposit that a refund had already paid back. */
  'refund_unfunded',
  /** The books break a rule, or differ from a chain. */
  'ledger_imbalance',
  /** A deposit address, or the key of its wallet, was changed in the database without Kassa. */
  'address_forged',
  /** A list of deposit addresses is nearly used up, and no more can be derived. */
  'addresses_low',
  /** Another collector or owner was proposed for a sweep contract, or it has one that no operator confirmed. */
  'collector_change_pending',
  /** Secrets of a vault do not open: the master key is another one, or rows were changed without Kassa. */
  'secrets_unreadable',
  /**
   * A hot wallet signs nothing until an operator has looked: somebody else used its key, or the database is older than the
   * chain.
   */
  'hot_wallet_locked',
  /** A hot wallet holds too little for network fees. */
  'hot_wallet_low',
  /** No block takes a transaction although its fee reached the ceiling. */
  'send_stuck',
  /** A block holds a transaction that took more from its wallet than the ledger holds there. */
  'send_unbooked',
  /** A transaction without a sequence is past its expiry, and nodes do not prove what became of it. */
  'send_unproven',
  /** Transactions that deposit addresses signed are past their expiry, and nodes do not prove what became of them. */
  'permission_unproven',
  /** Few addresses are left for which a delegation was signed ahead. */
  'delegations_low',
  /** A sweep failed, or left out addresses whose token refuses the transfer. */
  'sweep_failed',
  /** No trustworthy price. */
  'price_missing',
  /** A stable coin left its peg. */
  'peg_lost',
  /** An endpoint has accepted nothing for 15 minutes or longer. */
  'endpoint_failing',
  /** An endpoint returned 410 Gone and was disabled. */
  'endpoint_gone',
  /** The mail server refuses our mails. */
  'mail_failing',
  /** An entry of the activity log differs from its seal. */
  'activity_log_broken',
  /** A passkey answered with a counter that had been used: somebody may have a copy of it. */
  'passkey_copied',
] as const

export type AlarmKind = (typeof ALARM_KINDS)[number]

export const Alarm = z.object({
  id,
  kind: z.enum(ALARM_KINDS),
  /**
   * What it is about: a blockchain's code (and more), `{currency} on {blockchain}`, a currency, an endpoint, or a part of
   * Kassa.
   */
  subject: z.string(),
  /** The parameters of its text; null for an alarm of an older version. */
  params: z.nullable(z.record(z.string(), z.unknown())),
  /** What is wrong and what to do next, in English. */
  text: z.string(),
  since: ts,
})

export type Alarm = z.output<typeof Alarm>
