import { sha256 } from '@noble/hashes/sha2.js'
import { writeFields } from '@kassa/keys/tron/protobuf.ts'

/** Fields of `protocol.BlockHeader.raw`, in the order of their numbers. */
export type RawHeader = {
  readonly timestamp: bigint
  readonly txTrieRoot: Uint8Array
  readonly parentHash: Uint8Array
  readonly number: bigint
  readonly witnessId: bigint
  readonly witnessAddress: Uint8Array
  readonly version: bigint
  readonly accountStateRoot: Uint8Array
}

/** The id of a block: its height in 8 bytes, then the last 24 bytes of SHA-256 of its header. */
export function blockId(header: RawHeader): string {
  const hash = sha256(
    writeFields([
      { number: 1, value: header.timestamp },
      { number: 2, value: header.txTrieRoot },
      { number: 3, value: header.parentHash },
      { number: 7, value: header.number },
      { number: 8, value: header.witnessId },
      { number: 9, value: header.witnessAddress },
      { number: 10, value: header.version },
      { number: 11, value: header.accountStateRoot },
    ]),
  )
  return header.number.toString(16).padStart(16, '0') + Buffer.from(hash.subarray(8)).toString('hex')
}
