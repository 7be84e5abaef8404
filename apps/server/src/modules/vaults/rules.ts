/** The one vault of an install; further vaults get ids of their own. */
const VAULT_ID = 1

/** Returns the text a sealed value is bound to, so that no row can stand in for another (money.md 5.3). */
export function envelopeLabel({ id, kind, version }: { id: number; kind: string; version: number }): string {
  return `kassa|${VAULT_ID}|${id}|${kind}|${version}`
}

/** What an address proof says; none of its parts contains a line break. */
export type AddressClaim = { readonly reference: string; readonly blockchainCode: string; readonly address: string }

/** Returns the exact bytes an address proof signs: a name and one claim per line, in UTF-8. */
export function addressProofMessage({ reference, blockchainCode, address }: AddressClaim): Buffer {
  return Buffer.from(`kassa address proof 1\n${reference}\n${blockchainCode}\n${address}`)
}
