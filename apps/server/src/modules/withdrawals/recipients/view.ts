import type { Recipient, RECIPIENT_STATUSES } from '@kassa/contract/recipients/schemas.ts'

import { payableFrom } from '../policy/service.ts'
import type { Place, RecipientWithPlaces } from './tables.ts'

type Shown = (typeof RECIPIENT_STATUSES)[number]

/** A recipient as the wire carries it, with the projects that the caller sees. */
export function recipientView(row: RecipientWithPlaces, projectIds: readonly number[] | 'every'): Recipient {
  const places = row.places.filter(({ projectId }) => projectIds === 'every' || projectIds.includes(projectId))
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    mobileNumber: row.mobile_number,
    residentialAddress: row.residential_address,
    blockchainCode: row.code,
    address: row.address,
    // A deleted one is never shown.
    status: row.status as Shown,
    projectIDs: places.map(({ projectId }) => projectId),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    payableFrom: row.status === 'active' ? payableFromIn(places) : null,
    earlierPayouts: places.reduce((sum, { payouts }) => sum + payouts, 0),
  }
}

/** From when a recipient can be paid in all of these projects; null while one of them does not know its address yet. */
export function payableFromIn(places: readonly Pick<Place, 'knownSince' | 'delayHours'>[]): Date | null {
  let latest: Date | null = null
  for (const { knownSince, delayHours } of places) {
    if (knownSince === null) return null
    const time = payableFrom(new Date(knownSince), delayHours)
    if (latest === null || time > latest) latest = time
  }
  return latest
}
