import type { Prices } from '../sender/prices.ts'

/** What an account may use before it burns TRX: the free bandwidth of each day, and what it staked for. */
export type Resources = {
  readonly freeBytes: bigint
  readonly stakedBytes: bigint
  readonly energy: bigint
}

/** What a transaction uses. */
export type Usage = { readonly bytes: bigint; readonly energy: bigint; readonly activation: bigint }

/**
 * The sun that a transaction burns of its sender. One kind of bandwidth covers all of the bytes or none of them; an activation
 * burns its own fee instead of using free bandwidth; energy is covered as far as it reaches
 * (https://developers.tron.network/docs/resource-model).
 */
export function burnt({ bytes, energy, activation }: Usage, own: Resources, prices: Prices): bigint {
  const isCovered = own.stakedBytes >= bytes || (activation === 0n && own.freeBytes >= bytes)
  const lacking = energy > own.energy ? energy - own.energy : 0n
  return (isCovered ? 0n : bytes * prices.byte) + lacking * prices.energy + activation
}
