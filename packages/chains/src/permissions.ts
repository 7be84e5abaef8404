import type { PermissionFault } from '@kassa/keys/evm/permission.ts'
import type { PermissionJson } from '@kassa/keys/evm/permission-json.ts'

/**
 * Permissions: what the key of a deposit address signs once, so that others may move its money to the collector of its vault and
 * nowhere else. A family without this group has none, and only contract wallets can be swept there.
 */
export type PermissionsOf<Chain, ChainSession> = {
  /** Composes what each of these addresses is to sign, in the order asked; see `Composed`. */
  compose(session: ChainSession, ask: PermissionAsk): Promise<readonly Composed[]>
  /** Composes a delegation for each of these addresses that stands until its first transaction, before it holds anything. */
  ahead(chain: Chain, place: PermissionPlace, owners: readonly string[]): readonly PermissionJson[]
  /** Reads what was signed, and compares it with what was to be signed, part by part. */
  check(chain: Chain, place: PermissionPlace, permission: PermissionJson, signature: unknown): CheckedSignature
  /** Tells what a permission is worth on the newest block. @throws RetryableRpcError, NodeRejected by a node that keeps too little */
  validity(session: ChainSession, place: PermissionPlace, signed: SignedPermission): Promise<Validity>
}

/** Where money goes: the vault takes it, the collector gets it. `token` is null for the native coin. */
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
      /** Native units that the address lacks to pay for what it signs, and the most that bringing them costs; null where it lacks none. */
      readonly topUp: { readonly units: bigint; readonly fee: bigint } | null
    }
  /** The chain holds its permission already: the vault may take all of the token, or commands the account. */
  | { readonly kind: 'given'; readonly as: 'approve_tx' | 'authorization' }
  /** What it holds does not pay for moving it. */
  | { readonly kind: 'short'; readonly needed: bigint }
  /** What it would sign costs more now than is ever brought to an address. */
  | { readonly kind: 'dear'; readonly needed: bigint; readonly allowed: bigint }

/** A signed transaction of a deposit address, as `ChainSender.outcome` asks about it. */
export type PermissionTx = {
  readonly txId: string
  readonly raw: Uint8Array
  /** Null in families without one. */
  readonly sequence: bigint | null
  /** It can be mined until then only; null where it never lapses. */
  readonly validUntil: Date | null
  readonly body: Readonly<Record<string, string | null>>
  readonly maxFee: bigint
}

export type CheckedSignature =
  | {
      readonly kind: 'signed'
      readonly signature: object
      /** Null where nothing is sent: a permit, a delegation. */
      readonly tx: PermissionTx | null
    }
  | { readonly kind: 'refused'; readonly fault: PermissionFault | 'unreadable'; readonly found: string }

export type SignedPermission = { readonly permission: PermissionJson; readonly signature: unknown }

/** `given`: the chain holds it. `offered`: whoever sweeps can bring it along. `absent`: neither. */
export type Validity = 'given' | 'offered' | 'absent'
