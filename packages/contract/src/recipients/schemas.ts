/** Recipients: saved addresses, verified once so that none is ever typed twice (api.md 4.1). */
import * as z from 'zod/mini'

import { id, int, ts } from '../kit/codecs.ts'
import { clearableText, email, oneOf, text } from '../kit/fields.ts'
import { alternatives, pageInput } from '../kit/paging.ts'

export const RECIPIENT_STATUSES = ['pending-otp-verification', 'active', 'blocked'] as const

export const Recipient = z.object({
  id,
  name: z.string(),
  email: z.string(),
  mobileNumber: z.nullable(z.string()),
  residentialAddress: z.nullable(z.string()),
  blockchainCode: z.string(),
  address: z.string(),
  status: z.enum(RECIPIENT_STATUSES),
  /** Those of its projects that the caller sees. */
  projectIDs: z.array(id),
  createdAt: ts,
  updatedAt: ts,
  /** From when it can be paid in all of these projects; null until it is verified. */
  payableFrom: z.nullable(ts),
  /** Payouts of these projects that reached this address. */
  earlierPayouts: int,
})
export type Recipient = z.output<typeof Recipient>

/** Both names of the rows are for existing clients. */
export const RecipientPage = z.object({
  recipients: z.array(Recipient),
  data: z.array(Recipient),
  total: int,
  limit: int,
  offset: int,
  nextCursor: z.nullable(z.string()),
})

export const RECIPIENT_SORTS = ['created_at', 'name'] as const

export const RecipientSearch = z.object({
  ids: alternatives(z.int({ error: 'Ids must be whole numbers' })),
  /** Part of a name, an e-mail or an address. */
  query: z.optional(z.string()),
  status: alternatives(oneOf('Status', RECIPIENT_STATUSES)),
  blockchainCode: alternatives(z.string()),
  ...pageInput,
})
export type RecipientSearch = z.output<typeof RecipientSearch>

/** The most projects of one recipient. */
const MOST_PROJECTS = 100

const projectIDs = z
  .array(z.int({ error: 'Projects must be ids' }).check(z.positive({ error: 'Projects must be ids' })), {
    error: 'Choose at least one project',
  })
  .check(
    z.minLength(1, { error: 'Choose at least one project' }),
    z.maxLength(MOST_PROJECTS, { error: `Choose at most ${MOST_PROJECTS} projects` }),
  )

/** As the customer's phone is written everywhere (E.164, the plus may be absent); empty clears. */
export const mobileNumber = clearableText('Mobile number', { max: 16 }).check(
  z.refine((value) => value === undefined || value === '' || /^\+?[1-9]\d{6,14}$/.test(value), {
    error: 'Invalid mobile number format',
  }),
)

export const residentialAddress = clearableText('Residential address', { max: 500 })

/** The longest address of any family has 62 characters; the codec of the family has the last word. */
export const recipientAddress = text('Address', { max: 128 })

export const NewRecipient = z.object({
  name: text('Name'),
  email: email(),
  blockchainCode: text('Network', { max: 32 }),
  address: recipientAddress,
  projectIDs,
  mobileNumber,
  residentialAddress,
})
export type NewRecipient = z.output<typeof NewRecipient>

/** Absent fields stay. Address and network never change: a new address is a new recipient. */
export const ChangeRecipient = z.object({
  name: z.optional(text('Name')),
  email: z.optional(email()),
  mobileNumber,
  residentialAddress,
  projectIDs: z.optional(projectIDs),
  status: z.optional(z.literal('blocked', { error: 'Status must be blocked' })),
})
export type ChangeRecipient = z.output<typeof ChangeRecipient>

export const NewRecipientAnswer = z.object({
  recipient: Recipient,
  /** Whether a code is on its way to the operator; without one, the recipient is active at once or waits for D19. */
  otpSent: z.boolean(),
})

export const CodeCheck = z.object({
  /** The recipient; programs send its id as a number or as text. */
  entityID: z.union([id, z.string().check(z.regex(/^[1-9]\d{0,8}$/))], { error: 'Recipient is required' }),
  scope: z.literal('recipient', { error: 'Scope must be recipient' }),
  otpCode: text('Code', { max: 16 }).check(z.regex(/^\d{6}$/, { error: 'The code has 6 digits' })),
})
