import type { PASSWORD_PURPOSES, STEP_UP_METHODS } from '@kassa/contract/auth/schemas.ts'
import type { FactorMethod } from '@kassa/contract/operators/schemas.ts'
import type { Generated, Selectable } from 'kysely'

import type { CreatedAt, SerialId, UpdatedAt } from '../../../db/columns.ts'

/** How a person proved their identity. */
export type ProofMethod = (typeof STEP_UP_METHODS)[number]

export type SessionTable = {
  id: SerialId
  operator_id: number
  key_hash: Buffer
  access_hash: Buffer | null
  access_expires_at: Date | null
  refresh_hash: Buffer | null
  refresh_expires_at: Date | null
  /** When the access token was last renewed, and the salt of that answer. */
  refreshed_at: Date | null
  refresh_salt: Buffer | null
  restricted: Generated<boolean>
  /** The proofs that opened it, and those given since. */
  factors: Generated<ProofMethod[]>
  ip_address: string | null
  /** Null for sessions from before it was recorded. */
  network: string | null
  user_agent: string | null
  step_up_until: Date | null
  last_seen_at: Date
  idle_expires_at: Date
  /** The absolute end; idle time never moves it. */
  expires_at: Date
  ended_at: Date | null
  /** What ended it, when its operator is to learn the reason. */
  ended_by: 'password' | null
  created_at: CreatedAt
}

/** Refresh tokens that a newer one has replaced. */
export type SupersededTokenTable = { token_hash: Buffer; session_id: number; superseded_at: Date }

export type SetupCodeTable = { only_row: Generated<boolean>; code_hash: Buffer; created_at: CreatedAt }

export type SignInFailureTable = { subject: string; failures: number; wait_until: Date; updated_at: UpdatedAt }

export type StepUpChallengeTable = {
  id: string
  session_id: number
  action: string
  digest: Buffer
  /** Whether confirming it gives a token. */
  binds: boolean
  expires_at: Date
  created_at: CreatedAt
}

/** Proofs for one described action, until a call uses them. */
export type StepUpTokenTable = {
  token_hash: Buffer
  session_id: number
  action: string
  digest: Buffer
  /** The proof that confirmed it; null in rows of an older version. */
  method: ProofMethod | null
  /** What a passkey signed, as JSON. */
  signature: Buffer | null
  expires_at: Date
  created_at: CreatedAt
}

export type PasswordTokenTable = {
  id: SerialId
  operator_id: number
  purpose: (typeof PASSWORD_PURPOSES)[number]
  token_hash: Buffer
  issued_by: number | null
  /** Who else saw the link: it works only while that person may manage its owner. */
  shown_to: number | null
  expires_at: Date
  ended_at: Date | null
  created_at: CreatedAt
}

export type PasswordTokenRow = Selectable<PasswordTokenTable>
export type SessionRow = Selectable<SessionTable>
export type SignInFailureRow = Selectable<SignInFailureTable>
export type StepUpChallengeRow = Selectable<StepUpChallengeTable>

export type AuthTables = {
  sessions: SessionTable
  superseded_refresh_tokens: SupersededTokenTable
  setup_codes: SetupCodeTable
  sign_in_failures: SignInFailureTable
  step_up_challenges: StepUpChallengeTable
  step_up_tokens: StepUpTokenTable
  password_tokens: PasswordTokenTable
}

/** The columns of other tables that a session's look-up reads: of its operator and of the install. */
export type NeighbourTables = {
  operators: {
    id: number
    email: string
    state: 'invited' | 'active' | 'inactive'
    reset_password_required: boolean
    second_factors: FactorMethod[]
    deleted_at: Date | null
  }
  configuration: { key: string; value: string | null }
}
