/** An address of a list, with its key's signature of its index there (`kassa-deposit:<index>`). */
export type ListedAddress = { readonly address: string; readonly index: number; readonly signature: string }

/** Deposit addresses that their owner makes one by one, because the family cannot derive any from a public key. */
export type AddressListsOf<Chain> = {
  /** Whether the key of the address is known to exist, so that money sent to it can be moved. */
  isProven(chain: Chain, listed: ListedAddress): boolean
}
