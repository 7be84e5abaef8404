/** Why a deposit may be false or unwanted: once final it is quarantined (money.md 2.4 W-5, 2.8, 2.12 X11). */
export const QUARANTINE_REASONS = ['NODE_DISAGREEMENT', 'AMOUNT_MISMATCH', 'ASSET_CHANGED', 'SENDER_BLOCKED'] as const

export type QuarantineReason = (typeof QUARANTINE_REASONS)[number]

/** Why a deposit has its disposition, or its value; null for exactly what was asked for. */
export const DEPOSIT_REASONS = [
  /** It came on another network than the payment chose. */
  'other_network',
  'late',
  /** The rate lock had ended: it counts at its value when received. */
  'price_lapsed',
  'wrong_asset',
  'no_price',
  'no_payment',
  'below_minimum',
  /** It came from an address of ours: seen by a version before movements (money.md W-12). */
  'own',
  /** An operator applied it to its payment. */
  'assigned',
  /** An operator took it off its payment. */
  'unassigned',
  /** An operator released it from quarantine, to no payment. */
  'released',
  /** It was unapplied, and the project's policy applied it to the customer's next payment. */
  'applied_by_policy',
  ...QUARANTINE_REASONS,
] as const

export type DepositReason = (typeof DEPOSIT_REASONS)[number]
