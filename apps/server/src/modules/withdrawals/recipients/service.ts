/**
 * Recipients: addresses that were checked and verified once, so that no one types one twice. Address and network of a recipient
 * never change; a project has one recipient per address.
 */
import type { ChangeRecipient, NewRecipient, RecipientSearch } from '@kassa/contract/recipients/schemas.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Blockchain } from '@kassa/primitives/chains/blockchain.ts'

import { keyFor } from '../../../config/keys.ts'
import { actorOf, type Context, inTransaction, type ProjectScope } from '../../../context.ts'
import { readPage, toPage } from '../../../paging/paging.ts'
import { findBlockchain } from '../../blockchains/chains/service.ts'
import { getProject } from '../../projects/service.ts'
import { type AddressProblem, parsePayee, type Payee, problemOf, requirePayable } from '../addresses/service.ts'
import { endCodesOf } from './code-store.ts'
import { receiverOf, requestCode, tryCode } from './codes.ts'
import {
  countRecipients,
  deletePlaces,
  findByAddress,
  findRecipient,
  insertPlaces,
  insertRecipient,
  listRecipients,
  lockRecipient,
  moveRecipient,
  type RecipientFacts,
  updateRecipient,
  listBlocked,
  type ProjectAddress,
} from './store.ts'
import type { RecipientWithPlaces } from './tables.ts'
import { payableFromIn } from './view.ts'

export type { RecipientWithPlaces } from './tables.ts'
export { recipientView } from './view.ts'
export { hashCode, isSameHash, newCode } from './code-hash.ts'
export { CODE_MS, MOST_TRIES, SENDS, waitForSend } from './rules.ts'

type Projects = ProjectScope['projectIds']

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
 * Saves an address. It is active at once when an operator with a second factor adds it. Otherwise a code is mailed to the
 * operator, or to the member who made the API key; where that member has left, an operator asks for the code later.
 * @throws BLOCKCHAIN_NOT_FOUND, FAMILY_UNSUPPORTED, ADDRESS_INVALID, ADDRESS_IS_OURS, ADDRESS_BLOCKED, PROJECT_NOT_FOUND,
 * PROJECT_ARCHIVED, RECIPIENT_EXISTS, SMTP_NOT_CONFIGURED, RATE_LIMITED
 */
export async function createRecipient(
  ctx: Context,
  allowed: Projects,
  input: NewRecipient,
): Promise<{ readonly recipient: RecipientWithPlaces; readonly otpSent: boolean }> {
  const blockchain = (await findBlockchain(ctx, input.blockchainCode)) ?? fail('BLOCKCHAIN_NOT_FOUND')
  const payee = parsePayee(ctx, blockchain.definition, input.address)
  await requirePayable(ctx, payee)
  const projectIds = await projectsOf(ctx, allowed, input.projectIDs)
  const isProved = ctx.caller.kind === 'operator' && ctx.caller.secondFactors.length > 0
  const receiver = isProved ? null : await receiverOf(ctx)
  return inTransaction(ctx, async (tx) => {
    const by = actorOf(tx.caller)
    const row = await insertRecipient(tx, {
      name: input.name,
      email: input.email,
      mobile_number: input.mobileNumber || null,
      residential_address: input.residentialAddress || null,
      blockchain_id: blockchain.id,
      address: payee.address,
      address_key: payee.key,
      status: isProved ? 'active' : 'pending-otp-verification',
      created_by: by,
      ...(isProved ? { verified_by: by, verified_at: tx.now() } : { verified_by: null, verified_at: null }),
    })
    const knownSince = isProved ? tx.now() : null
    const inserted = await insertPlaces(tx, row, { projectIds, knownSince })
    if (inserted.length < projectIds.length) await refuseExisting(tx, projectIds, payee, row.id)
    const otpSent = receiver !== null
    if (receiver) await requestCode(tx, row.id, receiver.id)
    const recipient = await getRecipient(tx, row.id)
    noteChange(tx, null, recipient)
    await announce(tx, recipient)
    return { recipient, otpSent }
  })
}

/** Refuses and names the recipient that has the address. @throws RECIPIENT_EXISTS */
async function refuseExisting(
  tx: Context,
  projectIds: readonly number[],
  { blockchain, key }: Payee,
  newId: number,
): Promise<never> {
  const others = await Promise.all(
    projectIds.map((id) => findByAddress(tx, { projectIds: [id], blockchainId: blockchain.id, key })),
  )
  const existing = others.find((one) => one !== undefined && one.id !== newId)
  return fail('RECIPIENT_EXISTS', {
    ...(existing && {
      details: `This address is saved as ${existing.name}.`,
      data: { recipientID: existing.id, name: existing.name, status: existing.status },
    }),
    fields: { address: existing ? `This address is saved as ${existing.name}` : 'This address is saved already' },
  })
}

/** The projects of a call, each one that the caller may write to. @throws PROJECT_NOT_FOUND, PROJECT_ARCHIVED */
async function projectsOf(ctx: Context, allowed: Projects, asked: readonly number[]): Promise<number[]> {
  const ids = [...new Set(asked)].toSorted((one, other) => one - other)
  for (const id of ids) {
    if (allowed !== 'every' && !allowed.includes(id)) return fail('PROJECT_NOT_FOUND')
    const { status } = await getProject(ctx, id)
    if (status === 'archived') return fail('PROJECT_ARCHIVED')
  }
  return ids
}

async function getRecipient(ctx: Context, id: number): Promise<RecipientWithPlaces> {
  return (await findRecipient(ctx, id)) ?? fail('RECIPIENT_NOT_FOUND')
}

/**
 * Locks a recipient that the caller may change: the caller sees all of its projects, and it has at least one.
 * @throws RECIPIENT_NOT_FOUND, FORBIDDEN
 */
async function lockOwn(tx: Context, allowed: Projects, id: number): Promise<RecipientWithPlaces> {
  await lockRecipient(tx, id)
  const recipient = await getRecipient(tx, id)
  if (allowed === 'every') return recipient
  const own = recipient.places.filter(({ projectId }) => allowed.includes(projectId))
  if (own.length === 0) return fail('RECIPIENT_NOT_FOUND')
  if (own.length === recipient.places.length) return recipient
  const project = 'every project of this recipient'
  return fail('FORBIDDEN', {
    values: { permission: 'recipient:write', project },
    data: { permission: 'recipient:write', project },
  })
}

/**
 * Changes what the input names, or blocks the recipient for good. A project that is added knows the address from now on.
 * @throws RECIPIENT_NOT_FOUND, FORBIDDEN, PROJECT_NOT_FOUND, PROJECT_ARCHIVED, RECIPIENT_EXISTS
 */
export async function changeRecipient(
  ctx: Context,
  { id, allowed }: { readonly id: number; readonly allowed: Projects },
  change: ChangeRecipient,
): Promise<RecipientWithPlaces> {
  return inTransaction(ctx, async (tx) => {
    const before = await lockOwn(tx, allowed, id)
    await updateRecipient(tx, id, factsOf(change))
    if (change.projectIDs) await movePlaces(tx, before, { allowed, asked: change.projectIDs })
    if (change.status === 'blocked' && before.status !== 'blocked') {
      await endCodesOf(tx, id)
      await moveRecipient(tx, id, { to: 'blocked' })
    }
    const after = await getRecipient(tx, id)
    noteChange(tx, before, after)
    await announce(tx, after)
    return after
  })
}

function factsOf({ name, email, mobileNumber, residentialAddress }: ChangeRecipient): RecipientFacts {
  return {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(mobileNumber !== undefined && { mobile_number: mobileNumber || null }),
    ...(residentialAddress !== undefined && { residential_address: residentialAddress || null }),
  }
}

async function movePlaces(
  tx: Context,
  recipient: RecipientWithPlaces,
  { allowed, asked }: { readonly allowed: Projects; readonly asked: readonly number[] },
): Promise<void> {
  const former = new Set(recipient.places.map(({ projectId }) => projectId))
  const wanted = new Set(asked)
  const added = await projectsOf(
    tx,
    allowed,
    [...wanted].filter((id) => !former.has(id)),
  )
  const knownSince = recipient.verified_at === null ? null : tx.now()
  const inserted = await insertPlaces(tx, recipient, { projectIds: added, knownSince })
  if (inserted.length < added.length) {
    const { blockchain, key } = await payeeOf(tx, recipient)
    await refuseExisting(tx, added, { blockchain, address: recipient.address, key }, recipient.id)
  }
  const removed = [...former].filter((id) => !wanted.has(id))
  if (removed.length > 0) await deletePlaces(tx, recipient.id, removed)
}

async function payeeOf(
  ctx: Context,
  { blockchain_id, address, address_key: key }: RecipientWithPlaces,
): Promise<Payee> {
  const found = (await findBlockchain(ctx, blockchain_id)) ?? fail('BLOCKCHAIN_NOT_FOUND')
  return { blockchain: found.definition, address, key }
}

/**
 * Deletes a recipient; its address can be saved again, and must then be verified again. `isInUse` answers whether payouts to
 * the recipient are under way, under its lock. @throws RECIPIENT_NOT_FOUND, FORBIDDEN, RECIPIENT_IN_USE
 */
export async function deleteRecipient(
  ctx: Context,
  { id, allowed }: { readonly id: number; readonly allowed: Projects },
  isInUse: (tx: Context, id: number) => Promise<boolean>,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const before = await lockOwn(tx, allowed, id)
    if (await isInUse(tx, id)) return fail('RECIPIENT_IN_USE')
    await endCodesOf(tx, id)
    await deletePlaces(tx, id)
    await moveRecipient(tx, id, { to: 'deleted' })
    noteChange(tx, before, null)
    await announce(tx, { ...before, status: 'deleted' })
  })
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
    if (!('verified' in tried)) return { outcome: tried, recipient: before }
    const after = await getRecipient(tx, id)
    noteChange(tx, before, after)
    await announce(tx, after)
    return { outcome: tried, recipient: after }
  })
  if ('verified' in outcome) return recipient
  const { refused, triesLeft } = outcome
  return fail(refused, { ...(triesLeft !== undefined && { data: { triesLeft } }) })
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
      details: 'Whoever made this API key is no member any more. Let a member ask for the code.',
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

/** A recipient that can be paid now, as a payout stores it. */
export type PayableRecipient = {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly mobileNumber: string | null
  readonly residentialAddress: string | null
  readonly blockchain: Blockchain
  readonly address: string
  readonly key: Buffer
  /** Since when the project knows the verified address. */
  readonly knownSince: Date
}

/**
 * The recipient of a payout of a project (D7), if it can be paid now.
 * @throws RECIPIENT_NOT_FOUND, RECIPIENT_NOT_ACTIVE with why, or from when
 */
export async function findPayableRecipient(
  ctx: Context,
  { projectId, recipientId }: { readonly projectId: number; readonly recipientId: number },
): Promise<PayableRecipient> {
  const row = await findRecipient(ctx, recipientId)
  const place = row?.places.find((one) => one.projectId === projectId)
  if (!row || !place) return fail('RECIPIENT_NOT_FOUND')
  const from = payableFromIn([place])
  if (row.status !== 'active' || from === null || place.knownSince === null) {
    return refuseInactive(row.status === 'blocked' ? 'is blocked' : 'is not verified yet', row.status, null)
  }
  if (from > ctx.now()) return refuseInactive(`can be paid from ${from.toISOString()}`, row.status, from)
  const { blockchain, address, key } = await payeeOf(ctx, row)
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    mobileNumber: row.mobile_number,
    residentialAddress: row.residential_address,
    blockchain,
    address,
    key,
    knownSince: new Date(place.knownSince),
  }
}

function refuseInactive(reason: string, status: string, payableFrom: Date | null): never {
  return fail('RECIPIENT_NOT_ACTIVE', { values: { reason }, data: { status, payableFrom } })
}

/** What the address book of a project and this install know of an address, for the policy. */
export type AddressFacts = {
  readonly problem: AddressProblem | null
  /** Since when it is a verified recipient of the project; null when it is not one. */
  readonly knownSince: Date | null
}

/** Reads what is known of an address now: ours, a token's, blocked in the address book of the project, or verified there. */
export async function addressFacts(ctx: Context, projectId: number, payee: Payee): Promise<AddressFacts> {
  const problem = await problemOf(ctx, payee)
  const saved = await findByAddress(ctx, {
    projectIds: [projectId],
    blockchainId: payee.blockchain.id,
    key: payee.key,
  })
  return {
    problem: problem ?? (saved?.status === 'blocked' ? 'address_blocked' : null),
    knownSince: saved?.status === 'active' ? saved.known_since : null,
  }
}

/** Returns which of these addresses of a blockchain are blocked in the address book of their project. */
export function blockedAddresses(ctx: Context, blockchainId: number, asked: readonly ProjectAddress[]) {
  return asked.length === 0 ? [] : listBlocked(ctx, blockchainId, asked)
}

function noteChange(tx: Context, before: RecipientWithPlaces | null, after: RecipientWithPlaces | null): void {
  const ids = (after ?? before)?.places.map(({ projectId }) => projectId) ?? []
  const [projectId = null] = ids
  tx.change(before && changeOf(before), after && changeOf(after), { projectId })
}

function changeOf(row: RecipientWithPlaces) {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    mobileNumber: row.mobile_number,
    residentialAddress: row.residential_address,
    blockchainCode: row.code,
    address: row.address,
    status: row.status,
    projectIDs: row.places.map(({ projectId }) => projectId),
  }
}

/** One event per project, for the screens that show its recipients. */
async function announce(tx: Context, { id, status, places }: RecipientWithPlaces): Promise<void> {
  await tx.events.emitAll(
    tx,
    places.map(({ projectId }) => ({
      type: 'recipient.changed' as const,
      projectId,
      payload: { recipient_id: id, status, project_id: projectId },
    })),
  )
}
