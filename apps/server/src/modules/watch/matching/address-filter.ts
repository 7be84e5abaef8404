import type { AddressKey } from '@kassa/chains/adapter.ts'

/** Every address of ours of one family, in memory: exact, about 60 bytes an address. */
export type AddressFilter = {
  readonly add: (key: AddressKey) => void
  readonly has: (key: AddressKey) => boolean
  readonly size: () => number
  readonly keys: () => Iterable<AddressKey>
}

/** Makes an empty filter. A key is stored as text with one character per byte, the cheapest exact lookup. */
export function createAddressFilter(): AddressFilter {
  const keys = new Set<string>()
  return {
    add: (key) => void keys.add(textOf(key)),
    has: (key) => keys.has(textOf(key)),
    size: () => keys.size,
    keys: () => bytesOf(keys),
  }
}

function textOf(key: AddressKey): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1')
}

function* bytesOf(texts: Iterable<string>): Generator<AddressKey, void> {
  for (const text of texts) yield Buffer.from(text, 'latin1')
}
