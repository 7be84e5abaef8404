import type { Prices } from '../sender/prices.ts'

/** What an account may use before it burns TRX: bandwidth that everybody gets each day, and what it staked for. */
export type Resources = {
  readonly freeBytes: bigint
  readonly stakedBytes: bigint
  readonly energy: bigint
}

/** What a transaction uses. */
export type Usage = { readonly bytes: bigint; readonly energy: bigint; readonly activation: bigint }

/**
 * The sun that a transaction burns of its sender. Bandwidth of one kind covers all of the bytes or none of them, and an activation
 * burns the fee of its own instead of the free one; energy is covered as far as it goes
 * (https://developers.tron.network/docs/resource-model).
 */
export function burnt({ bytes, energy, activation }: Usage, own: Resources, prices: Prices): bigint {
  const isCovered = own.stakedBytes >= bytes || (activation === 0n && own.freeBytes >= bytes)
  const lacking = energy > own.energy ? energy - own.energy : 0n
  return (isCovered ? 0n : bytes * prices.byte) + lacking * prices.energy + activation
}
