export type ColdTables = {
  cold_addresses: {
    wallet_id: number
    family_id: number
    blockchain_id: number
    key: Buffer
    address: string
    project_id: number | null
    /** Nothing is sent there before this time. */
    usable_at: Date
  }
}
