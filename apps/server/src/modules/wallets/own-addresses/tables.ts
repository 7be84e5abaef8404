import type { BigSerialId } from '../../../db/columns.ts'
import type { OwnRole } from './own-address.ts'

export type OwnAddressTables = {
  own_addresses: {
    id: BigSerialId
    blockchain_id: number
    address: string
    family_id: number
    key: Buffer
    role: OwnRole
    wallet_id: number | null
    created_at: Date
  }
}
