import { fromHex, keccak } from './hex.ts'
import type { WireLog } from './wire.ts'

/** A header's filter over the contracts and topics of all its logs: 2,048 bits (Yellow Paper, 4.3.1). */
export type Bloom = Uint8Array

const BLOOM_BYTES = 256

/** Computes the filter of some logs. */
export function bloomOf(logs: readonly WireLog[]): Bloom {
  const bloom = new Uint8Array(BLOOM_BYTES)
  for (const item of new Set(logs.flatMap(itemsOf))) {
    for (const bit of bitsOf(item)) bloom[byteOf(bit)] = (bloom[byteOf(bit)] ?? 0) | maskOf(bit)
  }
  return bloom
}

/** The bits that contracts and topics set together; computed once for any number of filters. */
export type Probe = readonly number[]

/** Computes the bits of filters that cover all of these contracts and topics. */
export function probeOf(items: readonly string[]): Probe {
  return items.flatMap(bitsOf)
}

/** Whether the filter may cover everything that the probe was made of; false is certain. */
export function mayHold(bloom: Bloom, probe: Probe): boolean {
  return probe.every((bit) => ((bloom[byteOf(bit)] ?? 0) & maskOf(bit)) !== 0)
}

/** Tells whether every bit of one filter is also set in the other. */
export function isWithin(inner: Bloom, outer: Bloom): boolean {
  return inner.every((byte, at) => (byte & ~(outer[at] ?? 0)) === 0)
}

function itemsOf({ address, topics }: WireLog): string[] {
  return [address, ...topics]
}

/** Three bits per item: the low eleven bits of each of the first three pairs of bytes of its hash. */
function bitsOf(item: string): number[] {
  const hash = keccak(fromHex(item))
  return [0, 2, 4].map((at) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 0x7ff)
}

function byteOf(bit: number): number {
  return BLOOM_BYTES - 1 - (bit >> 3)
}

function maskOf(bit: number): number {
  return 1 << (bit & 7)
}
