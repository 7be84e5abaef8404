/** Creation, change and deletion of recipients. */
import type { ChangeRecipient, NewRecipient } from '@kassa/contract/recipients/schemas.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'

import { actorOf, type Context, inTransaction } from '../../../context.ts'
import { findBlockchain } from '../../blockchains/chains/service.ts'
import { getProject } from '../../projects/service.ts'
import { parsePayee, type Payee, requirePayable } from '../addresses/service.ts'
import { endCodesOf } from './code-store.ts'
import { receiverOf, requestCode } from './codes.ts'
import { getRecipient, lockOwn, type Projects } from './locked-recipient.ts'
import { payeeOf } from './payable-recipients.ts'
import { recordChange } from './record-change.ts'
import {
  deletePlaces,
  findByAddress,
  insertPlaces,
  insertRecipient,
  moveRecipient,
  type RecipientFacts,
  updateRecipient,
} from './store.ts'
import type { RecipientWithPlaces } from './tables.ts'

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
    await recordChange(tx, null, recipient)
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
    await recordChange(tx, before, after)
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
    await recordChange(tx, before, null)
  })
}
