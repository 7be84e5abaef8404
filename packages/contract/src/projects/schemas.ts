import * as z from 'zod/mini'

import { id, int, ts } from '../kit/codecs.ts'
import { isEmail } from '../kit/email.ts'
import { clearableText, clearableUrl, colour, oneOf, text } from '../kit/fields.ts'
import { CHECKOUT_LANGUAGES, CHECKOUT_THEMES, LONGEST_BACK_TEXT } from './checkout-options.ts'

/** The colour and logo a new project starts with (specification §9). */
export const DEFAULT_BRAND_COLOR = '#caff54'

export const PROJECT_STATUSES = ['active', 'archived'] as const

export const Project = z.object({
  id,
  createdAt: ts,
  updatedAt: ts,
  name: z.string(),
  /** Absolute; empty when there is none. */
  logoPath: z.string(),
  brandColor: z.string(),
  website: z.string(),
  successEndpoint: z.string(),
  cancelEndpoint: z.string(),
  frontendEndpoint: z.string(),
  webhookEndpoint: z.string(),
  twitterURL: z.string(),
  discordURL: z.string(),
  linkedInURL: z.string(),
  telegramURL: z.string(),
  supportEmail: z.string(),
  emailSendRequestFrom: z.string(),
  emailSendRequestReplyTo: z.string(),
  /** A code of CHECKOUT_LANGUAGES; empty: as the customer's browser asks. */
  checkoutLanguage: z.string(),
  checkoutTheme: z.enum(CHECKOUT_THEMES),
  /** Empty: the text of the customer's language. */
  backText: z.string(),
  defaultPaymentBlockchainID: z.nullable(int),
  defaultPaymentBlockchainCurrencyID: z.nullable(int),
  externalPlatformBlockchainCurrencies: z.null(),
  status: z.enum(PROJECT_STATUSES),
})

export type Project = z.output<typeof Project>

export const ProjectDetail = z.object({
  id,
  name: z.string(),
  logo: z.string(),
  logoPath: z.string(),
  networkCount: z._default(int, 0),
  currencyCount: z._default(int, 0),
  /** Without one no customer can get an address, whatever the project accepts. */
  hasDepositWallet: z._default(z.boolean(), true),
  status: z.enum(PROJECT_STATUSES),
  role: z.string(),
  referenceId: z.string(),
})

export type ProjectDetail = z.output<typeof ProjectDetail>

const NAME = text('Project name', { max: 100, required: 'Project Name is required' })

/** A sender such as `Shop <pay@shop.example>`, or only the address; empty clears it. */
function sender(label: string) {
  return z.optional(
    z.pipe(
      z.nullable(z.string({ error: `${label} must be text` })),
      z.pipe(
        z.transform((value: string | null) => (value ?? '').trim()),
        z.string().check(
          z.maxLength(320, { error: `${label} must be at most 320 characters long` }),
          z.refine((value) => value === '' || isEmail(/^[^<>]*<([^<>]+)>$/.exec(value)?.[1] ?? value), {
            error: 'Enter a valid e-mail address',
          }),
        ),
      ),
    ),
  )
}

const optionalId = (label: string) => z.optional(z.nullable(z.int({ error: `${label} must be a number` })))

/** One of the listed values; empty text brings the default back. */
const emptyOr = <const Values extends readonly [string, ...string[]]>(label: string, values: Values) =>
  z.optional(z.union([z.literal(''), oneOf(label, values)], { error: `${label} must be one of: ${values.join(', ')}` }))

const saveFields = {
  logoPath: clearableText('Logo path', { max: 2048 }),
  brandColor: z.optional(z.union([z.literal(''), colour], { error: 'Use a colour like #caff54' })),
  website: clearableUrl('Website'),
  successEndpoint: clearableUrl('Success URL'),
  webhookEndpoint: clearableUrl('Webhook URL'),
  frontendEndpoint: clearableUrl('Frontend URL'),
  cancelEndpoint: clearableUrl('Cancel URL'),
  twitterURL: clearableUrl('X / Twitter'),
  discordURL: clearableUrl('Discord'),
  linkedInURL: clearableUrl('LinkedIn'),
  telegramURL: clearableUrl('Telegram'),
  supportEmail: sender('Support e-mail'),
  emailSendRequestFrom: sender('Sender'),
  emailSendRequestReplyTo: sender('Reply-to'),
  checkoutLanguage: emptyOr('Checkout language', CHECKOUT_LANGUAGES),
  checkoutTheme: emptyOr('Checkout theme', CHECKOUT_THEMES),
  backText: clearableText('Text of the back button', { max: LONGEST_BACK_TEXT }),
  logo: z.optional(z.instanceof(Blob, { error: 'The logo must be a PNG, JPEG or WebP image up to 1 MB.' })),
  defaultPaymentBlockchainID: optionalId('Default network'),
  defaultPaymentBlockchainCurrencyID: optionalId('Default currency'),
}

/** The save payload of specification §3. On update an absent field keeps its value, an empty one clears it. */
export const NewProject = z.object({ name: NAME, ...saveFields })
export const ProjectChange = z.object({ name: z.optional(NAME), ...saveFields })

export type NewProject = z.output<typeof NewProject>
export type ProjectChange = z.output<typeof ProjectChange>
