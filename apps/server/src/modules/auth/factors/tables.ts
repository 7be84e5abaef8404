import type { Generated, Selectable } from 'kysely'

import type { CreatedAt, SerialId } from '../../../db/columns.ts'

export type AuthenticatorTable = {
  operator_id: number
  secret_id: number
  /** Null until a code confirmed it. */
  confirmed_at: Date | null
  expires_at: Date
  /** Codes of this step or an older one are refused. */
  last_step: Generated<bigint>
  created_at: CreatedAt
}

export type PasskeyTable = {
  id: SerialId
  operator_id: number
  name: string
  credential_id: Buffer
  public_key: Buffer
  /** The host name it was made for. */
  rp_id: string
  counter: bigint
  transports: string[]
  last_used_at: Date | null
  created_at: CreatedAt
}

export type BackupCodeTable = { operator_id: number; code_hash: Buffer; used_at: Date | null }

export type FactorChallengeTable = {
  id: string
  /** `sign_in`: after a right password · `passkey`: in its place · `enrolment`: for a new passkey. */
  purpose: 'sign_in' | 'passkey' | 'enrolment'
  operator_id: number | null
  /** The hash of the password that was right: the challenge is void once the password has changed. */
  password_digest: Buffer | null
  token_hash: Buffer | null
  network: string | null
  user_agent: string | null
  tries: Generated<number>
  session_id: number | null
  /** What a passkey signs. */
  value: Buffer
  expires_at: Date
  created_at: CreatedAt
}

export type AuthenticatorRow = Selectable<AuthenticatorTable>
export type PasskeyRow = Selectable<PasskeyTable>
export type ChallengeRow = Selectable<FactorChallengeTable>

export type FactorTables = {
  authenticators: AuthenticatorTable
  passkeys: PasskeyTable
  backup_codes: BackupCodeTable
  factor_challenges: FactorChallengeTable
}
