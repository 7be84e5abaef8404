/** As many words as the shortest recovery phrase has (BIP-39). */
const FEWEST_WORDS = 12

/** `xprv` and its kin of other networks and scripts (BIP-32, SLIP-132). */
const EXTENDED_PRIVATE_KEY = /^[a-z]prv/i

/** A private key of 32 bytes, or a seed of 64. */
const RAW_KEY = /^(0x)?([0-9a-f]{64}|[0-9a-f]{128})$/i

/** Wallet import format of Bitcoin: main network 5, K, L; test networks 9, c. */
const WALLET_IMPORT_KEY = /^[5KLc9][1-9A-HJ-NP-Za-km-z]{50,51}$/

/** Words of the Latin lists have at least three letters; those of the others may be a single sign. */
const LATIN_WORD = /^[\p{Script=Latin}\p{M}]{3,}$/u
const OTHER_WORD = /^[\p{L}\p{M}]+$/u
const LATIN_START = /^\p{Script=Latin}/u

/** Tells whether a text could spend money: an extended, raw or encoded private key, a seed, or recovery words. */
export function isSecret(text: string): boolean {
  const trimmed = text.trim()
  if ([EXTENDED_PRIVATE_KEY, RAW_KEY, WALLET_IMPORT_KEY].some((form) => form.test(trimmed))) return true
  return trimmed.split(/[\s,;]+/).filter(isWord).length >= FEWEST_WORDS
}

function isWord(text: string): boolean {
  return LATIN_WORD.test(text) || (!LATIN_START.test(text) && OTHER_WORD.test(text))
}
