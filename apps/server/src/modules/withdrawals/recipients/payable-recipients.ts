/** What payouts read of recipients: whether one can be paid now, and what is known of an address. */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Blockchain } from '@kassa/primitives/chains/blockchain.ts'

import type { Context } from '../../../context.ts'
import { findBlockchain } from '../../blockchains/chains/service.ts'
import { type AddressProblem, type Payee, problemOf } from '../addresses/service.ts'
import { findByAddress, findRecipient, listBlocked, type ProjectAddress } from './store.ts'
import type { RecipientWithPlaces } from './tables.ts'
import { payableFromIn } from './view.ts'

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

/** Refuses a recipient that cannot be paid now. @throws RECIPIENT_NOT_ACTIVE with the reason */
export function refuseInactive(reason: string, status: string, payableFrom: Date | null): never {
  return fail('RECIPIENT_NOT_ACTIVE', { values: { reason }, data: { status, payableFrom } })
}

/** Returns the network and address of a recipient. @throws BLOCKCHAIN_NOT_FOUND */
export async function payeeOf(
  ctx: Context,
  { blockchain_id, address, address_key: key }: RecipientWithPlaces,
): Promise<Payee> {
  const found = (await findBlockchain(ctx, blockchain_id)) ?? fail('BLOCKCHAIN_NOT_FOUND')
  return { blockchain: found.definition, address, key }
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
