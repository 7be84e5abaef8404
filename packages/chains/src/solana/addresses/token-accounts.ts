import { ASSOCIATED_PROGRAM, TOKEN_PROGRAM } from '@kassa/keys/solana/movement.ts'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { addressKey, addressText } from './addresses.ts'

const MARKER = utf8ToBytes('ProgramDerivedAddress')
const HIGHEST_BUMP = 255

/** Computed accounts, mostly of our own addresses. The cache is emptied when it is full. */
const known = new Map<string, string>()
const MOST_KNOWN = 10_000

/** The account that holds an owner's units of a token of the classic program (its "associated token account"). */
export function tokenAccountOf(owner: string, mint: string): string {
  const name = `${owner} ${mint}`
  const found = known.get(name)
  if (found !== undefined) return found
  const account = addressText(
    programAddress([owner, TOKEN_PROGRAM, mint].map(addressKey), addressKey(ASSOCIATED_PROGRAM)),
  )
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(name, account)
  return account
}

/** The first address under these seeds that no key can sign for (https://solana.com/docs/core/pda). */
function programAddress(seeds: readonly Uint8Array[], program: Uint8Array): Uint8Array {
  for (let bump = HIGHEST_BUMP; bump >= 0; bump -= 1) {
    const candidate = sha256(concatBytes(...seeds, Uint8Array.of(bump), program, MARKER))
    if (!isOnCurve(candidate)) return candidate
  }
  throw new RangeError('These seeds have no address')
}

function isOnCurve(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(bytes)
    return true
  } catch {
    return false
  }
}
