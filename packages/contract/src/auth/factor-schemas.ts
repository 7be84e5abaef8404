/** Second factors as the wire carries them (api.md 2.6, A4–A6, A18–A25). */
import * as z from 'zod/mini'

import { id, int, ts } from '../kit/codecs.ts'
import { oneOf, text } from '../kit/fields.ts'
import { FACTOR_METHODS } from '../operators/schemas.ts'
import { FACTOR_POLICIES } from '../settings/keys.ts'
import { challengeId, passkeyAnswer, passkeyOptions, typedCode } from './schemas.ts'

/** How many backup codes an operator gets at once. */
export const BACKUP_CODES = 10

/** The second step of a sign-in, after the password was right. */
export const FinishSignIn = z
  .object({
    challengeToken: text('Challenge', { max: 100 }),
    method: oneOf('Method', FACTOR_METHODS),
    code: z.optional(typedCode),
    assertion: z.optional(passkeyAnswer),
  })
  .check(
    z.refine(({ method, code }) => method === 'passkey' || (code ?? '') !== '', {
      path: ['code'],
      error: 'Code is required',
    }),
  )

/** What SECOND_FACTOR_REQUIRED carries in `data`. */
export const SecondStep = z.object({
  challengeToken: z.string(),
  methods: z.array(z.enum(FACTOR_METHODS)),
  expiresAt: z.string(),
  publicKey: z.optional(passkeyOptions),
})
export type SecondStep = z.output<typeof SecondStep>

/** A question to a passkey. */
export const PasskeyQuestion = z.object({ challengeId: z.string(), publicKey: passkeyOptions })

export const PasskeySignIn = z.object({ challengeId, assertion: passkeyAnswer })

export const Passkey = z.object({
  id,
  name: z.string(),
  createdAt: ts,
  lastUsedAt: z.nullable(ts),
})
export type Passkey = z.output<typeof Passkey>

/** The second factors of an operator, and those that the install requires. */
export const OwnFactors = z.object({
  enrolled: z.boolean(),
  policy: z.enum(FACTOR_POLICIES),
  totp: z.boolean(),
  passkeys: z.array(Passkey),
  backupCodesLeft: int,
})
export type OwnFactors = z.output<typeof OwnFactors>

/** What an authenticator app reads, from the picture or as text; shown once. */
export const TotpSecret = z.object({ secret: z.string(), otpauthURI: z.string(), qrSvg: z.string(), expiresAt: ts })
export type TotpSecret = z.output<typeof TotpSecret>

export const ConfirmTotp = z.object({
  code: z
    .string({ error: 'Code is required' })
    .check(
      z.minLength(1, { error: 'Code is required' }),
      z.maxLength(100, { error: 'Code must be at most 100 characters long' }),
    ),
})

/** Codes that work once each, shown once. */
export const BackupCodes = z.object({ backupCodes: z.array(z.string()) })

/** The same, where codes are made with the first factor alone. */
export const ConfirmedTotp = z.object({ backupCodes: z.nullable(z.array(z.string())) })

const passkeyName = text('Name', { max: 50 })

export const NewPasskey = z.object({ challengeId, attestation: passkeyAnswer, name: passkeyName })
/** `backupCodes` come with the first factor, once. */
export const AddedPasskey = z.object({ id, name: z.string(), backupCodes: z.nullable(z.array(z.string())) })
export const RenamePasskey = z.object({ name: passkeyName })
