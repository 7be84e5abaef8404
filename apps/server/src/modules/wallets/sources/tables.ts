export type SourceTables = {
  wallet_xpubs: {
    wallet_id: number
    family_id: number
    xpub: string
    fingerprint: string
    path: string
    next_index: number
    /** Null until the first start of a version that authenticates keys. */
    mac: Buffer | null
  }
  /** Of a contract wallet: the contract that commands its addresses, and what that contract's own address is made of. */
  wallet_vaults: {
    wallet_id: number
    family_id: number
    vault: string
    creator: string
    salt: string
    next_index: number
    mac: Buffer
  }
  /** Of a wallet whose addresses were uploaded one by one. */
  wallet_lists: {
    wallet_id: number
    family_id: number
    next_index: number
    mac: Buffer
  }
  address_authentication: { id: number; completed_at: Date }
}
