/** When a balance that rose is a deposit (money.md 2.4 "native by balance", decision 0011). Pure. */

/** What an address held at one block. */
export type Held = { readonly height: number; readonly units: bigint }

export type Rise = {
  readonly before: Held
  readonly after: Held
  /** Deposits minus outflows above `before` and up to `after`. */
  readonly explained: bigint
  readonly minimum: bigint
  /** The highest block whose inner transfers nobody could show. */
  readonly untracedTo: number
}

/** `pass`: compare with the newer balance from now on. `wait`: too little yet, it may grow. */
export type Judgement = { readonly kind: 'pass' | 'wait' } | { readonly kind: 'credit'; readonly units: bigint }

/**
 * Says what a rise between two final blocks is. Where every block was traced, what no transfer explains is a reward, a tip or
 * a withdrawal from the beacon chain: that is for a person to book, not for a customer (money.md 4.6).
 */
export function judgeRise({ before, after, explained, minimum, untracedTo }: Rise): Judgement {
  const units = after.units - before.units - explained
  if (units <= 0n || untracedTo <= before.height) return { kind: 'pass' }
  return units >= minimum ? { kind: 'credit', units } : { kind: 'wait' }
}

/** The highest block of which this is certain that it stays: final, or deeper than any reorganisation that is followed. */
export function lastingHeight(
  { height, finalizedHeight }: { height: number; finalizedHeight: number },
  reorgLimit: number,
): number {
  return finalizedHeight >= 0 ? finalizedHeight : height - reorgLimit
}
