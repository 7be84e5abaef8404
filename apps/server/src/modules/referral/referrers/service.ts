/**
 * People of the referral programme: those who bring customers, and those who were brought. The shop identifies them by its own
 * reference; a link between two people is made once and for good.
 */
import { randomBytes } from 'node:crypto'

import { fail } from '@kassa/contract/kit/api-error.ts'
import type { PromoterStatus } from '@kassa/contract/referral/machine.ts'

import { type Context, inTransaction, type ProjectScope } from '../../../context.ts'
import { hashCredential } from '../../../credentials.ts'
import { siteUrl } from '../../settings/service.ts'
import { announceChanged } from '../events/service.ts'
import { mailEmailChanged } from './mail-changed.ts'
import { codeOf, readCode, shareMailbox } from './rules.ts'
import {
  deleteOldTokens,
  endAllTokens,
  endCodesOf,
  findByCode,
  findByReference,
  findReferrer,
  insertReferrer,
  insertToken,
  isBroughtBy,
  lockLinks,
  lockReferrerRows,
  moveReferred,
  moveReferrerStatus,
  type ReferrerRow,
  shareWallet,
  updateReferrerEmail,
} from './store.ts'

export { endCodesOf } from './store.ts'
export type { ReferrerRow } from './store.ts'

/** Codes tried before something else must be wrong: two in a row are taken once in a billion billion times. */
const MOST_TRIES = 5

/** How long the link to a promoter's page works; the shop makes a new one at each press. */
const TOKEN_MS = 24 * 3_600_000

/** Old tokens deleted in one statement. */
const BATCH = 10_000

/**
 * Signs a promoter in: returns a link to their page, and the promoter, whom the first call creates.
 * @throws REFERRER_INACTIVE, SITE_URL_MISSING
 */
export async function authenticateReferrer(
  ctx: Context,
  projectId: number,
  { email, referenceID }: { readonly email: string; readonly referenceID: string },
): Promise<{ redirectURL: string; referrer: ReferrerRow }> {
  const site = (await siteUrl(ctx)) ?? fail('SITE_URL_MISSING')
  const token = `kref_${randomBytes(32).toString('base64url')}`
  const referrer = await inTransaction(ctx, async (tx) => {
    const known = await ensureReferrer(tx, projectId, { email, referenceID })
    if (known.status !== 'active') return fail('REFERRER_INACTIVE')
    const current = known.email === email ? known : await changeEmail(tx, known.id, email)
    const expiresAt = new Date(tx.now().getTime() + TOKEN_MS)
    await insertToken(tx, { referrerId: known.id, hash: hashCredential(token), expiresAt })
    tx.change(known.email === email ? null : { email: known.email }, {
      id: current.id,
      reference_id: referenceID,
      email,
    })
    return current
  })
  return { redirectURL: `${site.replace(/\/$/, '')}/referral/${token}`, referrer }
}

/**
 * Gives a promoter the e-mail address that the shop sends now. Codes for withdrawals are mailed there from then on, and one that
 * the former mailbox got ends; that mailbox is notified, and the sender waits before it pays them (money.md 7.4).
 */
async function changeEmail(tx: Context, id: number, email: string): Promise<ReferrerRow> {
  const [before] = await lockReferrerRows(tx, [id])
  // Another call at the same moment has changed it: nothing is new to the mailbox that is theirs by now.
  if (before?.email === email) return before
  const after = await updateReferrerEmail(tx, id, email)
  if (!before || !after) throw new Error(`There is no promoter ${id}`)
  await endCodesOf(tx, id)
  await mailEmailChanged(tx, before, email)
  return after
}

/**
 * Links a customer to the promoter who brought them. A repeat returns the existing link.
 * @throws REFERRER_NOT_FOUND, REFERRER_INACTIVE, REFERRAL_SELF, REFERRAL_LINKED_ALREADY
 */
export async function linkReferee(
  ctx: Context,
  projectId: number,
  input: { readonly email: string; readonly referenceID: string; readonly referrerCode: string },
): Promise<ReferrerRow> {
  return inTransaction(ctx, async (tx) => {
    await lockLinks(tx, projectId)
    const promoter = (await findByCode(tx, projectId, readCode(input.referrerCode))) ?? fail('REFERRER_NOT_FOUND')
    const known = await findByReference(tx, projectId, input.referenceID)
    if (known?.referred_by === promoter.id) return known
    if (promoter.status !== 'active') return fail('REFERRER_INACTIVE')
    // The shop may have registered the customer with another e-mail than it sends now.
    const emails = [input.email, ...(known ? [known.email] : [])]
    await refuseSelf(tx, promoter, { emails, referenceID: input.referenceID })
    if (known && known.referred_by !== null) return fail('REFERRAL_LINKED_ALREADY')
    if (known && (await isBroughtBy(tx, promoter.id, known.id))) return refuse('The customer brought the promoter.')
    const referee = known ?? (await ensureReferrer(tx, projectId, input))
    const linked = (await moveReferred(tx, referee.id, promoter.id)) ?? fail('REFERRAL_LINKED_ALREADY')
    tx.change(null, { id: linked.id, reference_id: linked.reference_id, referred_by: promoter.id })
    await announceChanged(tx, { projectId, referrer_id: linked.id })
    return linked
  })
}

function refuse(details: string): never {
  return fail('REFERRAL_SELF', { details })
}

async function refuseSelf(
  tx: Context,
  promoter: ReferrerRow,
  { emails, referenceID }: { readonly emails: readonly string[]; readonly referenceID: string },
): Promise<void> {
  if (promoter.reference_id === referenceID) return refuse('The customer and the promoter have one reference.')
  if (emails.some((email) => shareMailbox(promoter.email, email))) {
    return refuse('The customer and the promoter share an e-mail.')
  }
  if (await shareWallet(tx, promoter.project_id, [promoter.reference_id, referenceID])) {
    return refuse('The customer and the promoter pay from one wallet.')
  }
}

/** Returns the person of a reference, whom the first call creates. */
async function ensureReferrer(
  tx: Context,
  projectId: number,
  { email, referenceID }: { readonly email: string; readonly referenceID: string },
): Promise<ReferrerRow> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const known = await findByReference(tx, projectId, referenceID)
    if (known) return known
    const code = codeOf(randomBytes(16))
    const made = await insertReferrer(tx, { projectId, referenceId: referenceID, email, code })
    if (made) return made
  }
  throw new Error('No code for a promoter was free')
}

/** The person of a reference. @throws REFERRER_NOT_FOUND */
export async function getByReference(ctx: Context, projectId: number, referenceID: string): Promise<ReferrerRow> {
  return (await findByReference(ctx, projectId, referenceID)) ?? fail('REFERRER_NOT_FOUND')
}

/** A person of a project that the caller sees. @throws REFERRER_NOT_FOUND */
export async function getReferrer(ctx: Context, { projectIds }: ProjectScope, id: number): Promise<ReferrerRow> {
  return (await findReferrer(ctx, projectIds, id)) ?? fail('REFERRER_NOT_FOUND')
}

/** Locks people in the order of their ids. */
export function lockReferrers(tx: Context, ids: readonly number[]): Promise<ReferrerRow[]> {
  return lockReferrerRows(tx, [...new Set(ids)])
}

/** Activates or deactivates a promoter. @throws REFERRER_NOT_FOUND, REFERRER_STATUS_SAME */
export async function setReferrerStatus(
  ctx: Context,
  scope: ProjectScope,
  id: number,
  status: PromoterStatus,
): Promise<ReferrerRow> {
  return inTransaction(ctx, async (tx) => {
    const before = await getReferrer(tx, scope, id)
    const moved = (await moveReferrerStatus(tx, id, status)) ?? fail('REFERRER_STATUS_SAME')
    tx.change({ id, status: before.status }, { id, status }, { projectId: moved.project_id })
    await announceChanged(tx, { projectId: moved.project_id, referrer_id: id })
    return moved
  })
}

/** Deletes expired tokens. */
export async function forgetTokens(ctx: Context): Promise<void> {
  while ((await deleteOldTokens(ctx, BATCH)) === BATCH);
}

/** Closes every promoter's page after a restore: the shop opens a new one at the next press. Returns how many. */
export function endEveryReferralToken(ctx: Context): Promise<number> {
  return endAllTokens(ctx)
}
