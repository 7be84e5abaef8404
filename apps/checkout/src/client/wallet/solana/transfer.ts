import { readMessage, readSigned, SIGNATURE_BYTES, signedTransaction } from '@kassa/keys/solana/message.ts'
import type { Message } from '@kassa/keys/solana/message.ts'
import { isPlain, movementOf } from '@kassa/keys/solana/movement.ts'
import type { PayFacts } from '../../../render/panels/wallet.ts'
import { prepareDraft } from '../drafts.ts'
import { serverNow } from '../pending-request.ts'
import type { Send, Shortage } from '../wallet.ts'

/** Has a wallet sign the bytes of a transaction; the signed bytes. */
type Sign = (transaction: Uint8Array) => Promise<Uint8Array | undefined>

/** Stands where the wallet puts its signature. */
const NO_SIGNATURE = new Uint8Array(SIGNATURE_BYTES)

/** A block takes what names one of the 150 before it: twice as long as these take as a rule. */
const VALID_MS = 120_000

/** Has the server write the transfer; the wallet signs it once it is what the page asks for, and the server sends it. */
export function payOnSolana(sign: Sign, pay: PayFacts, account: string): Promise<Shortage | Send> {
  return prepareDraft(pay, account, async (rawData) => {
    const until = serverNow() + VALID_MS
    const bytes = Uint8Array.from(rawData.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
    const written = readMessage(bytes)
    if (!written || !isPlain(written) || !isAskedFor(written, pay, account)) {
      throw new TypeError('The server wrote another transfer')
    }
    const signed = readSigned((await sign(signedTransaction(bytes, NO_SIGNATURE))) ?? new Uint8Array())
    // A wallet may add what protects its owner, and prices of its own.
    const message = signed && readMessage(signed.message)
    if (!message || !isAskedFor(message, pay, account)) throw new TypeError('The wallet signed something else')
    return { signed: { rawData: hexOf(signed.message), signature: hexOf(signed.signature) }, until }
  })
}

function isAskedFor(message: Message, { to, token, units }: PayFacts, account: string): boolean {
  const movement = movementOf(message)
  return (
    movement !== null &&
    movement.from === account &&
    movement.to === to &&
    movement.mint === token &&
    movement.units === BigInt(units)
  )
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
