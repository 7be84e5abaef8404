/** The vault that every install has. It never has a passphrase, because background work needs it. */
export const FIRST_VAULT = 1

export type SecretPlace = {
  readonly vaultId: number
  readonly id: number
  readonly kind: string
  readonly version: number
}

/** Returns the text a sealed value is bound to, so that no row can stand in for another (money.md 5.3). */
export function envelopeLabel({ vaultId, id, kind, version }: SecretPlace): string {
  return `kassa|${vaultId}|${id}|${kind}|${version}`
}

/** What an address proof says; none of its parts contains a line break. */
export type AddressClaim = { readonly reference: string; readonly blockchainCode: string; readonly address: string }

/** Returns the exact bytes an address proof signs: a name and one claim per line, in UTF-8. */
export function addressProofMessage({ reference, blockchainCode, address }: AddressClaim): Buffer {
  return Buffer.from(`kassa address proof 1\n${reference}\n${blockchainCode}\n${address}`)
}
