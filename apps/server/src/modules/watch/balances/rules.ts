/** Decides when a balance that rose is a deposit (money.md 2.4 "native by balance", decision 0011). Pure. */

/** The balance of an address at one block. */
export type BalanceAtHeight = { readonly height: number; readonly units: bigint }

export type Rise = {
  readonly before: BalanceAtHeight
  readonly after: BalanceAtHeight
  /** Deposits minus outflows above `before` and up to `after`. */
  readonly explained: bigint
  readonly minimum: bigint
  /** The highest block whose internal transfers no node could show. */
  readonly untracedTo: number
}

/** `pass`: start from the newer balance next time. `wait`: below the minimum, it may still grow. */
export type Judgement = { readonly kind: 'pass' | 'wait' } | { readonly kind: 'credit'; readonly units: bigint }

/**
 * Judges a rise between two final blocks. Where every block was traced, a rise that no transfer explains is a reward, a
 * tip or a withdrawal from the beacon chain: an operator books it, no customer gets it (money.md 4.6).
 */
export function judgeRise({ before, after, explained, minimum, untracedTo }: Rise): Judgement {
  const units = after.units - before.units - explained
  if (units <= 0n || untracedTo <= before.height) return { kind: 'pass' }
  return units >= minimum ? { kind: 'credit', units } : { kind: 'wait' }
}

/** The highest block that is certain to stay: final, or deeper than any reorganisation that Kassa follows. */
export function lastingHeight(
  { height, finalizedHeight }: { height: number; finalizedHeight: number },
  reorgLimit: number,
): number {
  return finalizedHeight >= 0 ? finalizedHeight : height - reorgLimit
}
