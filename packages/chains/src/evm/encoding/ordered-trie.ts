import { keccak, toHex } from './hex.ts'
import { encodeRlp, type Rlp, rlpBytes, rlpQuantity } from '@kassa/keys/evm/rlp.ts'

type Entry = { readonly nibbles: readonly number[]; readonly value: Uint8Array }

/** Shorter nodes stand inside their parent instead of being referred to by hash. */
const HASHED_FROM = 32

/** Computes the root of the Merkle Patricia trie of a list, keyed by RLP of the index (Yellow Paper, appendix D). */
export function orderedRoot(values: readonly Uint8Array[]): string {
  if (values.length === 0) return toHex(keccak(encodeRlp(new Uint8Array())))
  const entries = values.map((value, index) => ({ nibbles: nibblesOf(encodeRlp(rlpQuantity(index))), value }))
  return toHex(keccak(encodeRlp(nodeOf(entries, 0))))
}

function nodeOf(entries: readonly Entry[], depth: number): Rlp {
  const [first] = entries
  if (!first) return new Uint8Array()
  if (entries.length === 1) return [compact(first.nibbles.slice(depth), true), first.value]
  const shared = sharedLength(entries, first.nibbles, depth)
  if (shared > depth) return [compact(first.nibbles.slice(depth, shared), false), refOf(nodeOf(entries, shared))]
  const branches = Array.from({ length: 16 }, (_, nibble) => {
    const below = entries.filter(({ nibbles }) => nibbles[depth] === nibble)
    return below.length === 0 ? new Uint8Array() : refOf(nodeOf(below, depth + 1))
  })
  return [...branches, entries.find(({ nibbles }) => nibbles.length === depth)?.value ?? new Uint8Array()]
}

function refOf(node: Rlp): Rlp {
  const encoded = encodeRlp(node)
  return encoded.length < HASHED_FROM ? node : keccak(encoded)
}

function sharedLength(entries: readonly Entry[], path: readonly number[], depth: number): number {
  let length = depth
  while (length < path.length && entries.every(({ nibbles }) => nibbles[length] === path[length])) length += 1
  return length
}

/** Packs nibbles with a flag for odd length and for a leaf (hex-prefix encoding). */
function compact(nibbles: readonly number[], isLeaf: boolean): Uint8Array {
  const flag = (isLeaf ? 2 : 0) + (nibbles.length % 2)
  const all = nibbles.length % 2 === 1 ? [flag, ...nibbles] : [flag, 0, ...nibbles]
  return rlpBytes(`0x${all.map((nibble) => nibble.toString(16)).join('')}`)
}

function nibblesOf(bytes: Uint8Array): number[] {
  return [...bytes].flatMap((byte) => [byte >> 4, byte & 15])
}
