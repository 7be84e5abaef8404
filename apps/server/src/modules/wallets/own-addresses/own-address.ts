/** The role of an address of ours that no customer has. */
export type OwnRole = 'hot' | 'cold' | 'vault' | 'factory'

export type OwnAddress = {
  readonly id: bigint
  readonly blockchainId: number
  readonly address: string
  readonly key: Buffer
  readonly role: OwnRole
  /** Null for a contract that belongs to no wallet. */
  readonly walletId: number | null
}

export type NewOwnAddress = Pick<OwnAddress, 'blockchainId' | 'address' | 'role' | 'walletId'>
