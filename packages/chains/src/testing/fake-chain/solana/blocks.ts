import { plainBase58 } from '@kassa/keys/solana/address.ts'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

import type { Seal } from '../sealing.ts'

/** The slot after that of block 0: higher than a new reader looks back. */
const FIRST_SLOT = 1_000
/** One of so many slots has no block, and two more after it at most. */
const SKIPPED_EACH = 4
export const MOST_SKIPPED = 3

/** Makes a block in one of the next slots, as Solana does: its height is its slot, and slots may be skipped. */
export const sealSolana: Seal = ({ parent, time, transactions, salt }) => {
  const content = transactions.map(({ hash, isSuccess }) => `${hash} ${isSuccess}`).join(' ')
  const digest = sha256(utf8ToBytes(`${parent.hash} ${time} ${salt} ${content}`))
  const [chance = 0, more = 0] = digest
  const skipped = chance % SKIPPED_EACH === 0 ? 1 + (more % MOST_SKIPPED) : 0
  const height = parent.height === 0 ? FIRST_SLOT : parent.height + 1 + (parent.height < 0 ? 0 : skipped)
  const parentHash = parent.height < 0 ? plainBase58(new Uint8Array(32)) : parent.hash
  return { height, hash: plainBase58(digest), parentHash, time, transactions, header: {}, receipts: [] }
}
