/** The form of `/success`: the payer asks for the receipt by e-mail, also without JavaScript. */
import { ApiError } from '@kassa/contract/kit/api-error.ts'
import { email } from '@kassa/contract/kit/fields.ts'

import type { Context } from '../context.ts'
import type { Refused } from './checkout-question.ts'

/** A mail as it is sent, in the language of the page. */
export type ReceiptText = {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly action?: { readonly label: string; readonly url: string }
  readonly foot: string
  readonly language: { readonly code: string; readonly dir: 'ltr' | 'rtl' }
}

/** Queues the mail; an empty address means the customer's own. @throws SMTP_NOT_CONFIGURED */
export type ReceiptRequested = (
  ctx: Context,
  reference: string,
  request: { readonly address: string; readonly message: ReceiptText },
) => Promise<'queued' | 'limited' | 'not_paid' | 'no_address'>

type Form = Readonly<Record<string, string>>

/** What was typed, as it was. */
export function typedEmail({ email: typed }: Form): string {
  return (typed ?? '').trim()
}

/** Asks for the mail; returns why it was refused, or null. @throws what no sentence in the form can help with */
export async function requestOrRefuse(
  ctx: Context,
  {
    request,
    reference,
    typed,
    message,
  }: {
    readonly request: ReceiptRequested
    readonly reference: string
    readonly typed: string
    readonly message: ReceiptText
  },
): Promise<Refused | null> {
  const address = typed === '' ? '' : email().safeParse(typed).data
  if (address === undefined) return NO_EMAIL
  try {
    const outcome = await request(ctx, reference, { address, message })
    if (outcome === 'limited') return OFTEN
    return outcome === 'no_address' ? NO_EMAIL : null
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.code !== 'SMTP_NOT_CONFIGURED') throw thrown
    return { code: thrown.code, text: thrown.message }
  }
}

const NO_EMAIL: Refused = { code: 'email', text: 'This is not a valid e-mail address.' }
const OFTEN: Refused = {
  code: 'receiptOften',
  text: 'This receipt was mailed often enough today. Print it instead.',
}
