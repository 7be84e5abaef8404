import type { Context } from '../../../context.ts'
import type { RecipientWithPlaces } from './tables.ts'

/**
 * Records a change of a recipient in the activity log and emits one event per project, for the screens that show its recipients.
 * `before` is null for a new recipient, `after` for a deleted one.
 */
export async function recordChange(
  tx: Context,
  before: RecipientWithPlaces | null,
  after: RecipientWithPlaces | null,
): Promise<void> {
  const recipient = after ?? before
  if (!recipient) return
  const { id, places } = recipient
  const status = after ? after.status : 'deleted'
  tx.change(before && changeOf(before), after && changeOf(after), { projectId: places[0]?.projectId ?? null })
  await tx.events.emitAll(
    tx,
    places.map(({ projectId }) => ({
      type: 'recipient.changed' as const,
      projectId,
      payload: { recipient_id: id, status, project_id: projectId },
    })),
  )
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
