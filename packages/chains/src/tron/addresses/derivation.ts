import { accountOf } from '@kassa/keys/address-text.ts'
import { childPublicKey, readAccountKey } from '../../account-keys.ts'
import type { DepositDeriver } from '../../adapter.ts'
import { addressText } from './addresses.ts'

/** SLIP-44 coin type 195. */
const ACCOUNT_PATH = "m/44'/195'/0'"

/** Deposit addresses from an extended public key: child 0/index, its account behind the prefix 0x41 (TIP-26). */
export const tronDeposits = {
  check: (source: unknown) => readAccountKey(source, { accountPath: ACCOUNT_PATH, kinds: ['xpub'] }),
  derive: (_chain, source, index) => addressText(accountOf(childPublicKey(source, index))),
} satisfies DepositDeriver
