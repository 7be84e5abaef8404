import type { SerialId } from '../../db/columns.ts'

export type DeviceTables = {
  devices: {
    id: SerialId
    name: string
    public_key: Buffer
    key_hash: Buffer
    paired_by: number
    paired_at: Date
    last_used_at: Date | null
    unpaired_at: Date | null
  }
  device_pairings: {
    id: SerialId
    operator_id: number
    nonce: Buffer
    expires_at: Date
    tries: number
    used_at: Date | null
  }
}
