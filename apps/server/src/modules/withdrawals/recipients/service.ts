/**
 * Recipients: addresses that were checked and verified once, so that no one types one twice. Address and network of a recipient
 * never change; a project has one recipient per address.
 */
import type { RecipientSearch } from '@kassa/contract/recipients/schemas.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'

import { keyFor } from '../../../config/keys.ts'
import { type Context, inTransaction } from '../../../context.ts'
import { readPage, toPage } from '../../../paging/paging.ts'
import { findBlockchain } from '../../blockchains/chains/service.ts'
import { refuseCode } from '../codes/service.ts'
import { receiverOf, requestCode, tryCode } from './codes.ts'
import { getRecipient, lockOwn, type Projects } from './locked-recipient.ts'
import { refuseInactive } from './payable-recipients.ts'
import { recordChange } from './record-change.ts'
import { countRecipients, listRecipients } from './store.ts'
import type { RecipientWithPlaces } from './tables.ts'

export type { RecipientWithPlaces } from './tables.ts'
export { recipientView } from './view.ts'
export { changeRecipient, createRecipient, deleteRecipient } from './change-recipients.ts'
export { addressFacts, blockedAddresses, findPayableRecipient } from './payable-recipients.ts'

/** Finds a page of recipients of the projects, newest first. */
export async function searchRecipients(ctx: Context, projectIds: Projects, search: RecipientSearch) {
  const { ids, query, status, blockchainCode } = search
  const blockchainIds = blockchainCode && (await Promise.all(blockchainCode.map((code) => idOf(ctx, code))))
  const filter = { projectIds, ids, query: query?.trim() || undefined, status, blockchainIds }
  const rules = {
    list: 'recipients',
    filter,
    sorts: ['created_at', 'name'],
    signingKey: keyFor(ctx, 'cursor'),
  } as const
  const page = readPage(search, rules)
  const rows = await listRecipients(ctx, filter, page)
  const { rows: recipients, nextCursor } = toPage(rows, page, rules)
  return { recipients, nextCursor, total: await countRecipients(ctx, filter), limit: page.limit, offset: page.offset }
}

/** A network name that does not exist matches nothing. */
async function idOf(ctx: Context, code: string): Promise<number> {
  return (await findBlockchain(ctx, code))?.id ?? 0
}

/**
 * Verifies a recipient with the code that was mailed; it can be paid once the delay of its projects is over. Opens its own
 * transaction, because a wrong try must be counted although the call fails.
 * @throws RECIPIENT_NOT_FOUND, FORBIDDEN, OTP_INVALID, OTP_EXPIRED
 */
export async function verifyRecipient(
  ctx: Context,
  { id, allowed }: { readonly id: number; readonly allowed: Projects },
  code: string,
): Promise<RecipientWithPlaces> {
  const { outcome, recipient } = await inTransaction(ctx, async (tx) => {
    const before = await lockOwn(tx, allowed, id)
    const tried = await tryCode(tx, before, code)
    if (!tried.isRight) return { outcome: tried, recipient: before }
    const after = await getRecipient(tx, id)
    await recordChange(tx, before, after)
    return { outcome: tried, recipient: after }
  })
  return outcome.isRight ? recipient : refuseCode(outcome)
}

/**
 * Mails a new code; every older one stops working.
 * @throws RECIPIENT_NOT_FOUND, FORBIDDEN, RECIPIENT_VERIFIED, RECIPIENT_NOT_ACTIVE, MEMBER_NOT_FOUND, SMTP_NOT_CONFIGURED,
 * RATE_LIMITED
 */
export async function sendCode(ctx: Context, id: number, allowed: Projects): Promise<Date> {
  const receiver =
    (await receiverOf(ctx)) ??
    fail('MEMBER_NOT_FOUND', {
      details: 'The author of this API key is no longer a member. Let a member ask for the code.',
    })
  return inTransaction(ctx, async (tx) => {
    const recipient = await lockOwn(tx, allowed, id)
    if (recipient.status === 'blocked') return refuseInactive('is blocked', recipient.status, null)
    if (recipient.status !== 'pending-otp-verification') return fail('RECIPIENT_VERIFIED')
    const expiresAt = await requestCode(tx, id, receiver.id)
    tx.change(null, { recipientID: id, codeSentTo: receiver.email })
    return expiresAt
  })
}
