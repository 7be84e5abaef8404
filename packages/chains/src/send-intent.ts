import type { SignedAuthorization } from '@kassa/keys/evm/authorization.ts'

/** What should leave an address: a transfer of a listed asset, or a call of a contract (`to` null creates one). */
export type SendIntent =
  | { readonly kind: 'transfer'; readonly assetId: number; readonly to: string; readonly units: bigint }
  | {
      readonly kind: 'call'
      readonly to: string | null
      /** Hex with `0x`. */
      readonly data: string
      /** In the native coin. */
      readonly units: bigint
      /** Accounts that get code in the same transaction (EIP-7702); absent in families without it. */
      readonly authorizations?: readonly SignedAuthorization[]
      /** The least gas limit, whatever a node estimates: parts of the call may run out of gas unnoticed. */
      readonly leastGas?: bigint
    }
