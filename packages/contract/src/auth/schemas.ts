import type { StepUpLines } from './step-up-lines.ts'
import { reasonShape } from '../kit/reason-shape.ts'
import * as z from 'zod/mini'

import { id, int, ts } from '../kit/codecs.ts'
import { oneOf, text } from '../kit/fields.ts'
import { newPassword, operatorEmail, OperatorState, SecondFactorState } from '../operators/schemas.ts'

const presentPassword = z
  .string({ error: 'Password is required' })
  .check(z.minLength(1, { error: 'Password is required' }))

/** A code of an authenticator app or a backup code, as people type it; other text is refused as no code. */
export const typedCode = z
  .string({ error: 'Code must be text' })
  .check(z.maxLength(100, { error: 'Code must be at most 100 characters long' }))

/** The JSON form of WebAuthn's options, which browsers read. */
export const passkeyOptions = z.record(z.string(), z.unknown())

/** What a browser says a passkey answered; its parts are read by the library that verifies it. */
export const passkeyAnswer = z.record(z.string(), z.unknown(), { error: 'The answer of the passkey must be an object' })

export const SignUp = z.object({
  email: operatorEmail,
  password: newPassword,
  setupCode: z.optional(z.string({ error: 'Set-up code must be text' })),
})

export const SignIn = z.object({
  email: operatorEmail,
  password: presentPassword,
  otpCode: z.optional(typedCode),
})

/** The caller's password, asked for again although they are signed in. */
export const OwnPassword = z.object({ password: presentPassword })

/** What the Change Password dialog sends; its confirmation stays in the form. */
export const ChangePassword = z.object({
  oldPassword: z
    .string({ error: 'Current password is required' })
    .check(z.minLength(1, { error: 'Current password is required' })),
  password: newPassword,
})

/** Key order and the single `email` and `customer_id` are part of the contract: scripts look for them in the text. */
export const SignedIn = z.object({
  id,
  createdAt: ts,
  updatedAt: ts,
  key: z.string(),
  status: z.literal('active'),
  memberID: id,
  member: z.object({
    id,
    createdAt: ts,
    updatedAt: ts,
    name: z.string(),
    email: z.string(),
    customer_id: z.string(),
    level: int,
    group: z.string(),
    state: OperatorState,
    username: z.nullable(z.string()),
    memberType: z.literal('internal'),
  }),
  externalPlatformID: z.nullable(id),
  roleID: z.nullable(id),
  role: z.nullable(
    z.object({
      id,
      createdAt: ts,
      updatedAt: ts,
      name: z.string(),
      displayName: z.string(),
      permissions: z.array(z.string()),
      members: z.null(),
      description: z.string(),
    }),
  ),
  metadata: z.string(),
  accessToken: z.string(),
  refreshToken: z.string(),
  expiresIn: int,
  tokenType: z.literal('Bearer'),
  resetPasswordRequired: z.boolean(),
  resetPasswordToken: z.nullable(z.string()),
  expiresAt: ts,
  absoluteExpiresAt: ts,
  projects: z.array(z.object({ id, name: z.string(), roleID: id })),
  secondFactor: SecondFactorState,
})
export type SignedIn = z.output<typeof SignedIn>

export const Refresh = z.object({ refreshToken: text('Refresh token', { max: 200 }) })

/** The new credentials; the refresh token is often the same. */
export const Refreshed = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  expiresIn: int,
  tokenType: z.literal('Bearer'),
})
export type Refreshed = z.output<typeof Refreshed>

export const STEP_UP_METHODS = ['password', 'totp', 'passkey', 'backup'] as const

export const StepUpOptions = z.object({
  action: z.string({ error: 'Action is required' }),
  /** The described call: its `params`, `query` and `body` as they will be sent. */
  subject: z.record(z.string(), z.unknown(), { error: 'Subject must be an object' }),
})

export const StepUpChallenge = z.object({
  challengeId: z.string(),
  methods: z.array(z.enum(STEP_UP_METHODS)),
  /** SHA-256 of the canonical JSON of what will happen, hexadecimal. */
  digest: z.string(),
  /** What will happen, as the server determines it; without lines where the action needs presence alone. */
  display: z.object({ title: z.string(), lines: z.array(reasonShape<StepUpLines>()) }),
  /** What a passkey is asked with, where the operator has one. */
  publicKey: z.optional(passkeyOptions),
})

const CHALLENGE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Names a challenge that the server stored. */
export const challengeId = z
  .string({ error: 'Challenge must be text' })
  .check(z.regex(CHALLENGE_ID, { error: 'Challenge is not valid' }))

export const StepUp = z
  .object({
    challengeId: z.optional(challengeId),
    method: oneOf('Method', STEP_UP_METHODS),
    password: z.optional(z.string({ error: 'Password is required' })),
    code: z.optional(typedCode),
    assertion: z.optional(passkeyAnswer),
  })
  .check(
    z.refine(({ method, password }) => method !== 'password' || (password ?? '') !== '', {
      path: ['password'],
      error: 'Password is required',
    }),
  )

export const SteppedUp = z.object({ windowUntil: ts, stepUpToken: z.optional(z.string()) })

/** Who forgot a password. Of `url` only the origin counts, and only when it is an allowed one (api.md 2.5). */
export const ForgotPassword = z.object({
  email: operatorEmail,
  url: z.optional(z.string({ error: 'URL must be text' })),
})

const passwordToken = (label: string) => text(label, { max: 100, required: 'This link is not complete' })

export const ResetPassword = z.object({ password: newPassword, resetPasswordToken: passwordToken('Link') })
export const PasswordTokenInput = z.object({ token: passwordToken('Link') })

/** What a person chooses a password for (api.md 2.4). */
export const PASSWORD_PURPOSES = ['reset', 'invite', 'temporary'] as const

export const PasswordToken = z.object({
  purpose: z.enum(PASSWORD_PURPOSES),
  /** Masked: the holder of the link learns no more than whose link it is. */
  email: z.string(),
  expiresAt: ts,
  inviter: z.nullable(z.string()),
  projects: z.array(z.string()),
  role: z.nullable(z.string()),
})
export type PasswordToken = z.output<typeof PasswordToken>

/** A link that is shown once to the administrator who asked for it. */
export const ResetLink = z.object({ url: z.string(), expiresAt: ts })

/** One session of the operator who asks. */
export const Session = z.object({
  id,
  createdAt: ts,
  lastSeenAt: ts,
  ipAddress: z.nullable(z.string()),
  userAgent: z.nullable(z.string()),
  current: z.boolean(),
  factors: z.array(z.enum(STEP_UP_METHODS)),
})
export type Session = z.output<typeof Session>
