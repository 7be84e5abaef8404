import type { ExtendedKeyKind } from '@kassa/keys/extended-key.ts'
import { isSecret } from '@kassa/keys/secret-text.ts'
import { msg, t } from '@lingui/core/macro'

import { listText } from '../../../lib/text/list-text.ts'

/** An extended public key has 111 characters; a text much longer is none. */
const LONGEST_XPUB = 120

/** The warning after a private key or a recovery phrase was pasted. */
export const SECRET_PASTED = msg`This is a private key. Never paste it anywhere; send the public one. Clear your clipboard.`

/**
 * Returns why a text is no extended public key of a wallet, or undefined when it looks like one. `kinds` are those of Bitcoin
 * on one of its networks; the other families take one kind only.
 */
export function pastedKeyProblem(
  text: string,
  networks: string,
  kinds?: readonly ExtendedKeyKind[],
): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return t`Extended public key is required`
  if (isSecret(trimmed)) return t(SECRET_PASTED)
  if (kinds === undefined && !trimmed.startsWith('xpub')) {
    return t`An extended public key for ${networks} starts with xpub`
  }
  if (kinds?.every((kind) => !trimmed.startsWith(kind))) {
    const words = listText(kinds)
    return t`An extended public key for this network of Bitcoin starts with ${words}`
  }
  if (trimmed.length > LONGEST_XPUB || !/^[1-9A-HJ-NP-Za-km-z]+$/.test(trimmed)) {
    return t`The key is damaged: copy all of it again`
  }
  return undefined
}
