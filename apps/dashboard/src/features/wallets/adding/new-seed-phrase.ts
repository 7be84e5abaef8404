import { generateMnemonic, mnemonicToSeed } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'

import { accountOfSeed } from '../account/derive-account.ts'
import type { Account } from '../account/derive-account.ts'
import type { OnePathFamily } from '../account/families.ts'

/** Bits of randomness behind a phrase (BIP-39). */
const STRENGTH = { 12: 128, 24: 256 } as const

export type WordCount = keyof typeof STRENGTH

export type NewWallet = { readonly words: readonly string[]; readonly account: Account }

/** Makes recovery words from the browser's own randomness, and the account they lead to. Nothing leaves this device. */
export async function makeWallet(count: WordCount, family: OnePathFamily): Promise<NewWallet> {
  const mnemonic = generateMnemonic(wordlist, STRENGTH[count])
  return { words: mnemonic.split(' '), account: await accountOfSeedPhrase(mnemonic, family) }
}

/** Returns the account that recovery words lead to. */
export async function accountOfSeedPhrase(mnemonic: string, family: OnePathFamily): Promise<Account> {
  const seed = await mnemonicToSeed(mnemonic)
  const account = accountOfSeed(seed, family)
  seed.fill(0)
  return account
}
