/** Runs in threads of their own, at a lower priority than what answers requests. */
import { argon2Sync, type Argon2Parameters } from 'node:crypto'

/** Hashes; bytes cross between threads as Uint8Array, which `argon2Sync` takes as they are. */
export function hash(parameters: Argon2Parameters): Uint8Array {
  return argon2Sync('argon2id', parameters)
}
