import { createHash } from 'node:crypto'
import type { FactorMethod } from '@kassa/contract/operators/schemas.ts'
import type { Scope } from '@kassa/contract/permissions.ts'
import type { Grants } from './context.ts'

/** A live session, as the sessions' owner finds it by the hash of its key. */
export type SessionFacts = {
  readonly operatorId: number
  readonly sessionId: number
  readonly email: string
  readonly restricted: boolean
  readonly stepUpUntil: Date | null
  readonly secondFactors: readonly FactorMethod[]
  readonly missingFactor: 'money' | 'always' | null
  /** The absolute end; an idle session ends earlier. */
  readonly expiresAt: Date
  readonly grants: Grants
}

/** A live project API key, as the keys' owner finds it by its hash. */
export type ApiKeyFacts = {
  readonly keyId: number
  readonly projectId: number
  /** The operator who was shown the value that was used. */
  readonly knownTo: number
  readonly scopes: ReadonlySet<Scope>
  /** CIDR ranges; empty means any address. */
  readonly allowedIps: readonly string[]
  /** Its last use was written a moment ago and need not be again. */
  readonly isUseNoted: boolean
  /** That of the configuration, read with the key. */
  readonly configVersion: bigint
}

/** A paired signing device, as the devices' owner finds it by the hash of its key. */
export type DeviceFacts = { readonly deviceId: number; readonly name: string }

/** The form in which credentials are stored: SHA-256, because they are random and need no slow hash. */
export function hashCredential(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
