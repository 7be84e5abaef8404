import * as z from 'zod/mini'

import { int, ts } from '../kit/codecs.ts'

/** What every signed-in screen needs to know about the install; no provider secret is ever in it. */
export const DefaultConfiguration = z.object({
  server: z.string(),
  walletConnectID: z.string(),
  tronHTTPProvider: z.string(),
  tronAPIKey: z.literal(''),
  sweepBatchSizeETH: int,
  sweepApprovalBatchSizeETH: int,
  sweepBatchSizeTRX: int,
  sweepApprovalBatchSizeTRX: int,
  siteURL: z.nullable(z.string()),
  blockchainNetwork: z.enum(['sandbox', 'testnet', 'mainnet']),
  defaultBrandColor: z.string(),
  features: z.object({ sandbox: z.boolean(), smtp: z.boolean(), passkeys: z.boolean() }),
})
export type DefaultConfiguration = z.output<typeof DefaultConfiguration>

/** A setting; `id` and the times are null while only its default applies. */
export const ConfigRow = z.object({
  id: z.nullable(int),
  createdAt: z.nullable(ts),
  updatedAt: z.nullable(ts),
  key: z.string(),
  /** The value in force; empty for a secret. */
  value: z.string(),
  /** The value that replaces the default, where there is one. */
  overrideValue: z.nullable(z.string()),
  description: z.string(),
  encrypt: z.boolean(),
  /** Whether a secret has a value. */
  valueSet: z.optional(z.boolean()),
})
export type ConfigRow = z.output<typeof ConfigRow>

/** A setting as the list of all shows it: with its default, null when it has none. */
export const KnownSetting = z.extend(ConfigRow, { default: z.nullable(z.string()) })
export type KnownSetting = z.output<typeof KnownSetting>
export const KnownSettings = z.array(KnownSetting)

/** Where people and programs reach this server; null until it is set. */
export const SiteAddress = z.object({
  siteUrl: z.nullable(z.string()),
  /** What links to the API are made of: the site's own address unless another was set. */
  backendUrl: z.nullable(z.string()),
  source: z.enum(['configured', 'none']),
})
export type SiteAddress = z.output<typeof SiteAddress>

/** The server checks both as origins (CONFIGURATION_VALUE_INVALID); an empty API URL goes back to the site's. */
export const SiteAddressChange = z.object({
  siteUrl: z.string({ error: 'Public URL is required' }).check(z.minLength(1, { error: 'Public URL is required' })),
  backendUrl: z.optional(z.string({ error: 'API URL must be text' })),
})
export type SiteAddressChange = z.output<typeof SiteAddressChange>

const key = z.string({ error: 'Key is required' }).check(z.trim(), z.minLength(1, { error: 'Key is required' }))

/** Text that the server checks per key (CONFIGURATION_VALUE_INVALID). */
const value = z.string({
  error: (issue) => (issue.input === undefined || issue.input === null ? 'Value is required' : 'Value must be text'),
})

export const SettingKey = z.object({ key })
export const SettingValue = z.object({ value })
export const Setting = z.object({ key, value })

/** The one mode there is: the merchant runs the server for themselves and nobody charges fees. */
export const SetupMode = z.object({ setupMode: z.literal('merchant') })

/** Any word; what is not `merchant` is refused with SETUP_MODE_UNSUPPORTED. */
export const SetupModeChange = z.object({
  setupMode: z
    .string({ error: 'Setup mode is required' })
    .check(z.trim(), z.minLength(1, { error: 'Setup mode is required' })),
})

/** Nobody collects fees. */
export const FeeCollectors = z.tuple([])
