import * as z from 'zod/mini'

import { id, int, ts } from '../kit/codecs.ts'
import { clearableText, email } from '../kit/fields.ts'
import { ChangeDisplay, Display } from './display.ts'

/** The shortest and longest password (product.md 9, api.md 2.8). */
export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 128

/** The kinds of characters a password needs, in the order the form's checklist shows them. */
export const PASSWORD_CLASSES = [
  { label: 'An upper-case letter', pattern: /\p{Lu}/u },
  { label: 'A lower-case letter', pattern: /\p{Ll}/u },
  { label: 'A digit', pattern: /\d/ },
  { label: 'One of . , ? @ * ! $ % # ^ &', pattern: /[.,?@*!$%#^&]/ },
] as const

/** A new password: one text, the first that fails in the order of api.md 2.8. Spaces count, nothing is trimmed. */
export const newPassword = z.string({ error: 'Password is required' }).check(
  z.minLength(1, { error: 'Password is required', abort: true }),
  z.refine((value) => PASSWORD_CLASSES.every(({ pattern }) => pattern.test(value)), {
    error: 'Password does not meet all requirements',
    abort: true,
  }),
  z.minLength(PASSWORD_MIN_LENGTH, {
    error: `Password must be at least ${PASSWORD_MIN_LENGTH} characters long`,
    abort: true,
  }),
  z.maxLength(PASSWORD_MAX_LENGTH, { error: `Password must be at most ${PASSWORD_MAX_LENGTH} characters long` }),
)

/** The e-mail address an operator signs in with. */
export const operatorEmail = email('E-mail', 'Email is required')

export const OperatorState = z.enum(['invited', 'active', 'inactive'])

const operatorFields = {
  id,
  createdAt: ts,
  updatedAt: ts,
  name: z.string(),
  email: z.string(),
  username: z.nullable(z.string()),
  customer_id: z.string(),
  level: int,
  group: z.string(),
  state: OperatorState,
  memberType: z.literal('internal'),
  /** Names of the install-wide roles, separated by commas; empty when there is none. */
  platformRoles: z.string(),
  memberExternalPlatformRoles: z.array(
    z.object({ createdAt: ts, memberID: id, externalPlatformID: z.nullable(id), roleID: id }),
  ),
  lastSeenAt: z.nullable(ts),
  resetPasswordRequired: z.boolean(),
}

/** A person who signs in to the dashboard; the wire calls it an internal member. */
export const Operator = z.object({ ...operatorFields, secondFactor: z.boolean() })
export type Operator = z.output<typeof Operator>

/** A tag of BCP 47 as far as a catalogue of texts is named after one: `de`, `pt-BR`, `en-XA`. */
export const LANGUAGE_TAG = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/

/** What an operator may change of themselves; the e-mail is not among it. */
export const ChangeMe = z.object({
  name: clearableText('Name', { max: 100 }),
  username: clearableText('Username', { max: 50 }),
  /** Empty: none. */
  locale: z.optional(
    z.nullable(
      z.string({ error: 'Language must be text' }).check(
        z.maxLength(35, { error: 'Language must be at most 35 characters long' }),
        z.refine((tag) => tag === '' || LANGUAGE_TAG.test(tag), {
          error: 'Language must be a tag such as en or pt-BR',
        }),
      ),
    ),
  ),
  /** How the dashboard looks to them. */
  display: z.optional(ChangeDisplay),
})
export type ChangeMe = z.output<typeof ChangeMe>

/** Second factors of an operator; backup codes can replace the others. */
export const FACTOR_METHODS = ['totp', 'passkey', 'backup'] as const
export type FactorMethod = (typeof FACTOR_METHODS)[number]

/**
 * The state of an operator's second factor; `setupRequired` when nothing else is allowed before there is one,
 * `requiredForMoney` when actions that move money are not.
 */
export const SecondFactorState = z.object({
  enrolled: z.boolean(),
  methods: z.array(z.enum(FACTOR_METHODS)),
  satisfied: z.boolean(),
  setupRequired: z.boolean(),
  requiredForMoney: z.boolean(),
})

/** The signed-in operator, with what `can()` reads. */
export const Me = z.object({
  ...operatorFields,
  /** The language chosen for the dashboard; null where none was. */
  locale: z.nullable(z.string()),
  display: Display,
  permissions: z.object({ install: z.array(z.string()), projects: z.record(z.string(), z.array(z.string())) }),
  /** Changes whenever the permissions change; `hello` of the live channel carries the current one. */
  permissionsVersion: z.string(),
  secondFactor: SecondFactorState,
  stepUp: z.object({ windowUntil: z.nullable(ts) }),
  sessionExpiresAt: ts,
})
export type Me = z.output<typeof Me>
