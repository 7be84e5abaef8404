import type { RecipientState } from '@kassa/contract/recipients/machine.ts'
import type { ColumnType, Selectable } from 'kysely'

import type { BigSerialId, CreatedAt, SerialId, UpdatedAt } from '../../../db/columns.ts'
import type { PolicyTables } from '../policy/tables.ts'

export type RecipientTables = {
  recipients: {
    id: SerialId
    name: string
    email: string
    mobile_number: string | null
    residential_address: string | null
    blockchain_id: number
    address: string
    address_key: Buffer
    status: RecipientState
    created_by: string
    verified_by: string | null
    verified_at: Date | null
    created_at: CreatedAt
    updated_at: UpdatedAt
  }
  recipient_projects: {
    recipient_id: number
    project_id: number
    blockchain_id: number
    address_key: Buffer
    known_since: Date | null
  }
  recipient_codes: {
    id: BigSerialId
    recipient_id: number
    operator_id: number
    code_hash: Buffer | null
    tries: ColumnType<number, number | undefined, number>
    created_at: CreatedAt
    expires_at: Date
    ended_at: Date | null
  }
}

/** What lists read of other tables. */
export type RecipientReads = Pick<PolicyTables, 'payout_policies'> & { blockchains: { id: number; code: string } }

/** Where a recipient can be paid. */
export type Place = {
  readonly projectId: number
  readonly knownSince: string | null
  /** The delay that the policy of the project asks of new addresses. */
  readonly delayHours: number
  /** Payouts of the project that reached the address. */
  readonly payouts: number
}

export type RecipientRow = Selectable<RecipientTables['recipients']>
export type RecipientWithPlaces = RecipientRow & { readonly code: string; readonly places: readonly Place[] }
export type CodeRow = Selectable<RecipientTables['recipient_codes']>
