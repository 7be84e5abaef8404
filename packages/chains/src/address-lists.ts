/** An address of a list, with what its key signed about its place there (`kassa-deposit:<index>`). */
export type ListedAddress = { readonly address: string; readonly index: number; readonly signature: string }

/** Deposit addresses that their owner made one by one, because the family can derive none from a public key. */
export type AddressListsOf<Chain> = {
  /** Whether somebody holds the key of the address: money sent to it can be moved. */
  isProven(chain: Chain, listed: ListedAddress): boolean
}
