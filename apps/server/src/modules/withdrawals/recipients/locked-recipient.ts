import { fail } from '@kassa/contract/kit/api-error.ts'

import type { Context, ProjectScope } from '../../../context.ts'
import { findRecipient, lockRecipient } from './store.ts'
import type { RecipientWithPlaces } from './tables.ts'

export type Projects = ProjectScope['projectIds']

/** Finds a recipient. @throws RECIPIENT_NOT_FOUND */
export async function getRecipient(ctx: Context, id: number): Promise<RecipientWithPlaces> {
  return (await findRecipient(ctx, id)) ?? fail('RECIPIENT_NOT_FOUND')
}

/**
 * Locks a recipient that the caller may change: the caller sees all of its projects, and it has at least one.
 * @throws RECIPIENT_NOT_FOUND, FORBIDDEN
 */
export async function lockOwn(tx: Context, allowed: Projects, id: number): Promise<RecipientWithPlaces> {
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
