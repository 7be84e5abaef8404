/** The letters of a sandbox without a mail server, to each caller those they may read (decision 0040). */
import type { KeptLetter } from '@kassa/contract/sandbox/schemas.ts'

import type { Context } from '../context.ts'
import { type KeptLetterRow, keptLetters } from '../modules/mail/service.ts'
import { isAddressInCare } from '../modules/operators/accounts/service.ts'

/** Lists the letters that the caller may read, newest first: a link in a letter to somebody above them is not theirs. */
export async function listLetters(ctx: Context): Promise<KeptLetter[]> {
  const letters = await keptLetters(ctx)
  const readable = new Set<string>()
  for (const address of new Set(letters.map(({ recipient }) => recipient))) {
    if (await isAddressInCare(ctx, address)) readable.add(address)
  }
  return letters.filter(({ recipient }) => readable.has(recipient)).map(letterView)
}

function letterView({ id, created_at: createdAt, recipient, message }: KeptLetterRow): KeptLetter {
  const { subject, paragraphs, action, foot } = message
  return { id, createdAt, to: recipient, subject, paragraphs: [...paragraphs], action: action ?? null, foot }
}
