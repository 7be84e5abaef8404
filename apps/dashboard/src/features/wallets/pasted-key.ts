import { msg, t } from '@lingui/core/macro'

/** An extended public key has 111 characters; a text much longer is none. */
const LONGEST_XPUB = 120

/** As many words as the shortest recovery phrase has. */
const FEWEST_WORDS = 12

/** What a browser says to someone who pasted what nobody may ever see. */
export const SECRET_PASTED = msg`This is a private key. Never paste it anywhere; send the public one. Clear your clipboard.`

/** Whether a text could spend money: an extended private key, a raw or encoded private key, or recovery words. */
export function isSecret(text: string): boolean {
  const trimmed = text.trim()
  const isExtendedPrivate = /^[a-z]prv/i.test(trimmed)
  const isRawKey = /^(0x)?([0-9a-f]{64}|[0-9a-f]{128})$/i.test(trimmed)
  const isWalletImport = /^[5KL][1-9A-HJ-NP-Za-km-z]{50,51}$/.test(trimmed)
  const words = trimmed.split(/[\s,;]+/).filter((word) => /^[a-z]{3,}$/i.test(word))
  return isExtendedPrivate || isRawKey || isWalletImport || words.length >= FEWEST_WORDS
}

/** Returns why a text is no extended public key of an EVM wallet, or undefined when it looks like one. */
export function pastedKeyProblem(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return t`Extended public key is required`
  if (isSecret(trimmed)) return t(SECRET_PASTED)
  if (!trimmed.startsWith('xpub')) return t`An extended public key for EVM networks starts with xpub`
  if (trimmed.length > LONGEST_XPUB || !/^[1-9A-HJ-NP-Za-km-z]+$/.test(trimmed)) {
    return t`The key is damaged: copy all of it again`
  }
  return undefined
}
