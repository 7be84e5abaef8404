/** What a wallet is asked to send; addresses are in the one spelling of their family. */
export type ContractCall = { readonly to: string; readonly data: string; readonly value: bigint }

/** Which deposit and how much of it: `id` is the salt of a deposit contract, or the number that an account's address is. */
export type VaultItem = { readonly id: bigint; readonly units: bigint }

/** An approval that its owner signed (EIP-2612). */
export type Permit = {
  readonly owner: string
  readonly value: bigint
  readonly deadline: bigint
  readonly v: number
  readonly r: string
  readonly s: string
}

type TokenSweep = 'sweepToken' | 'sweepTokenDelegated' | 'pullToken'
type NativeSweep = 'sweepNative' | 'sweepNativeDelegated'

export type VaultCall =
  | { readonly kind: TokenSweep; readonly token: string; readonly items: readonly VaultItem[] }
  | { readonly kind: NativeSweep; readonly items: readonly VaultItem[] }
  | {
      readonly kind: 'permitAndPull'
      readonly token: string
      readonly permits: readonly Permit[]
      readonly items: readonly VaultItem[]
    }
  | { readonly kind: 'permitToken'; readonly token: string; readonly permits: readonly Permit[] }
  | { readonly kind: 'deploy'; readonly salts: readonly bigint[] }
  | { readonly kind: 'proposeCollector'; readonly to: string }
  | { readonly kind: 'acceptCollector' | 'cancelCollector' | 'freezeCollector' }
