import type { PermissionFault } from '@kassa/keys/evm/permission.ts'
import type { PermissionJson } from '@kassa/keys/evm/permission-json.ts'

/**
 * Permissions: the key of a deposit address signs once that others may move its money to the collector of its vault and nowhere
 * else. A family without this group has none, and only contract wallets can be swept there.
 */
export type PermissionsOf<Chain, ChainSession> = {
  /** Composes what each of these addresses is to sign, in the order asked; see `Composed`. */
  compose(session: ChainSession, ask: PermissionAsk): Promise<readonly Composed[]>
  /**
   * Composes a delegation for each of these addresses, before it holds anything. It is valid until the address sends its first
   * transaction.
   */
  ahead(chain: Chain, place: PermissionPlace, owners: readonly string[]): readonly PermissionJson[]
  /** Reads what was signed, and compares every part with what was composed. */
  check(chain: Chain, place: PermissionPlace, permission: PermissionJson, signature: unknown): CheckedSignature
  /**
   * Returns the validity of a permission on the newest block. @throws RetryableRpcError, NodeRejected by a node that keeps too
   * little
   */
  validity(session: ChainSession, place: PermissionPlace, signed: SignedPermission): Promise<Validity>
}

/** The path of the money: the vault takes it, the collector gets it. `token` is null for the native coin. */
export type PermissionPlace = { readonly token: string | null; readonly vault: string; readonly collector: string }

export type PermissionAsk = PermissionPlace & {
  readonly owners: readonly {
    readonly address: string
    /** What may leave it, of the asset. */ readonly units: bigint
  }[]
}

export type Composed =
  | {
      readonly kind: 'ask'
      readonly permission: PermissionJson
      /**
       * Native units that the address lacks to pay for what it signs, and the most that a top-up costs; null when it lacks
       * none.
       */
      readonly topUp: { readonly units: bigint; readonly fee: bigint } | null
    }
  /** The chain already has its permission: the vault may take all of the token, or controls the account. */
  | { readonly kind: 'given'; readonly as: 'approve_tx' | 'authorization' }
  /** The fee may be more than what would arrive. */
  | { readonly kind: 'short'; readonly needed: bigint }
  /** The fee is now higher than the largest top-up. */
  | { readonly kind: 'dear'; readonly needed: bigint; readonly allowed: bigint }

/** A signed transaction of a deposit address, as `ChainSender.outcome` asks about it. */
export type PermissionTx = {
  readonly txId: string
  readonly raw: Uint8Array
  /** Null in families without one. */
  readonly sequence: bigint | null
  /** It can be mined only until then; null where it never expires. */
  readonly validUntil: Date | null
  readonly body: Readonly<Record<string, string | null>>
  readonly maxFee: bigint
}

export type CheckedSignature =
  | {
      readonly kind: 'signed'
      readonly signature: object
      /** Null where no transaction is sent: a permit, a delegation. */
      readonly tx: PermissionTx | null
    }
  | { readonly kind: 'refused'; readonly fault: PermissionFault | 'unreadable'; readonly found: string }

export type SignedPermission = { readonly permission: PermissionJson; readonly signature: unknown }

/** `given`: the chain has it. `offered`: a sweep can include it. `absent`: neither. */
export type Validity = 'given' | 'offered' | 'absent'
