import { checksumAddress } from '@kassa/keys/address-text.ts'
import { childPublicKey, readAccountKey } from '../../account-keys.ts'
import type { DepositDeriver } from '../../adapter.ts'
import { keccak } from '../encoding/hex.ts'

const ACCOUNT_PATH = "m/44'/60'/0'"

/** Deposit addresses from an extended public key: child 0/index, Keccak-256 of its point, last 20 bytes. */
export const evmDeposits = {
  check: (source: unknown) => readAccountKey(source, { accountPath: ACCOUNT_PATH, kinds: ['xpub'] }),
  derive: (_chain, source, index) => checksumAddress(keccak(childPublicKey(source, index).subarray(1)).subarray(12)),
} satisfies DepositDeriver
