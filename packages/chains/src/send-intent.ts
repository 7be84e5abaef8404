import type { SignedAuthorization } from '@kassa/keys/evm/authorization.ts'

/** What shall leave an address: a transfer of a listed asset, or a call of a contract (`to` null makes a new one). */
export type SendIntent =
  | { readonly kind: 'transfer'; readonly assetId: number; readonly to: string; readonly units: bigint }
  | {
      readonly kind: 'call'
      readonly to: string | null
      /** Hex with `0x`. */
      readonly data: string
      /** Of the native coin. */
      readonly units: bigint
      /** Accounts that get code in the same transaction (EIP-7702); absent in families without it. */
      readonly authorizations?: readonly SignedAuthorization[]
      /** It is allowed at least so much gas, whatever a node estimates: parts of it may run out of gas unseen. */
      readonly leastGas?: bigint
    }
