/** As many words as the shortest recovery phrase has (BIP-39). */
const FEWEST_WORDS = 12

/**
 * Whether a pasted text could spend money: an extended or raw private key, a seed, a key in wallet import format, or a recovery
 * phrase of any language. It errs on the safe side: what is asked for instead is a single word.
 */
export function isSecret(text: string): boolean {
  const trimmed = text.trim()
  const isExtendedPrivate = /^[a-z]prv/i.test(trimmed)
  const isRawKey = /^(0x)?([0-9a-f]{64}|[0-9a-f]{128})$/i.test(trimmed)
  const isWalletImport = /^[5KLc9][1-9A-HJ-NP-Za-km-z]{50,51}$/.test(trimmed)
  return isExtendedPrivate || isRawKey || isWalletImport || countWords(trimmed) >= FEWEST_WORDS
}

/**
 * Counts what may be words of a phrase, numbered or not. Accents may be separate marks or part of a letter; normalised as in
 * BIP-39 (NFKD) and without marks, both are the same. A Chinese phrase has one character per word, with or without spaces;
 * words of the other lists have three letters or more.
 */
function countWords(text: string): number {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  const characters = plain.match(/\p{Script=Han}/gu) ?? []
  const words = plain
    .split(/[\s\p{P}]+/u)
    .filter((part) => /^\d*\p{L}{3,}$/u.test(part) && !/\p{Script=Han}/u.test(part))
  return characters.length + words.length
}
