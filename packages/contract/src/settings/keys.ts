/** Every setting of the install (api.md C): who may read and change it, its default and the form of its value. */
import type { Permission } from '../permissions.ts'

/** When an install requires a second factor of its members (api.md 2.6). */
export const FACTOR_POLICIES = ['optional', 'money', 'always'] as const
export type FactorPolicy = (typeof FACTOR_POLICIES)[number]

/** Purposes of calls that leave the server: a network is opened for one of them (api.md 1.8). */
export const EGRESS_PURPOSES = ['webhook', 'smtp', 'node', 'price'] as const

/** How a value is checked and what it means; `secret` values are sealed and never shown again. */
export type SettingForm =
  | { readonly kind: 'origin' }
  | { readonly kind: 'websocketUrl' }
  | { readonly kind: 'origins' }
  | { readonly kind: 'egress' }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'wholeNumber'; readonly min: number; readonly max: number }
  | { readonly kind: 'usd' }
  | { readonly kind: 'text'; readonly max: number }
  /** `isHeader`: it is sent as the value of a header. */
  | { readonly kind: 'secret'; readonly min: number; readonly max: number; readonly isHeader?: true }

export type SettingEntry = {
  readonly description: string
  readonly form: SettingForm
  /** Any one of these changes it. */
  readonly write: readonly Permission[]
  /** Any one of these reads it; empty: every operator. */
  readonly read: readonly Permission[]
  readonly default?: string
  /** The default on mainnet. */
  readonly mainnetDefault?: string
}

const read = ['settings:read'] as const
const security = { read, write: ['security:write'] } as const
const general = { read, write: ['settings:write'] } as const

/** 64 KiB: the longest template or stored text. */
const LONG_TEXT = 65_536

const template = (what: string): SettingEntry => ({
  ...general,
  description: `E-mail template: ${what}. Kept for older installers; no e-mail is made of it.`,
  form: { kind: 'text', max: LONG_TEXT },
})
const withoutEffect = { ...general, form: { kind: 'text', max: LONG_TEXT } } as const
const NO_EFFECT = 'Kept for older installers; it has no effect.'

export const SETTINGS: Readonly<Record<string, SettingEntry>> = {
  'payram.frontend': { ...security, description: 'Address under which people open Kassa.', form: { kind: 'origin' } },
  'payram.backend': { ...security, description: 'Address of the API in links.', form: { kind: 'origin' } },
  'payram.server.url': { ...security, description: 'Address of the API for other servers.', form: { kind: 'origin' } },
  'payram.websocket.server.url': {
    ...security,
    description: 'Address of the live updates.',
    form: { kind: 'websocketUrl' },
  },
  'security.allowed_origins': {
    ...security,
    description: 'Further origins that may call the API from a browser, separated by commas.',
    form: { kind: 'origins' },
    default: '',
  },
  'security.egress_allow': {
    ...security,
    description: 'Private networks that may be called, such as webhook:10.0.0.0/8, separated by commas.',
    form: { kind: 'egress' },
    default: '',
  },
  'security.second_factor': {
    ...security,
    description: 'When a second factor is asked for: never (optional), for money, or always.',
    form: { kind: 'word', words: FACTOR_POLICIES },
    default: 'optional',
    mainnetDefault: 'money',
  },
  'security.session_idle_minutes': {
    ...security,
    description: 'Minutes without a call after which a session ends.',
    form: { kind: 'wholeNumber', min: 5, max: 1440 },
    default: '120',
  },
  'security.session_absolute_hours': {
    ...security,
    description: 'Hours after which a session ends in any case.',
    form: { kind: 'wholeNumber', min: 1, max: 720 },
    default: '24',
  },
  wallet_connect_id: {
    read: [],
    write: ['settings:write'],
    description: 'Project id at WalletConnect; browsers see it.',
    form: { kind: 'text', max: 64 },
  },
  'deposits.quorum_usd': {
    ...general,
    description:
      'Deposits worth this many US dollars or more need the confirmation of a second node before they count.',
    form: { kind: 'usd' },
    default: '1000',
  },
  'sweeps.automatic': {
    ...general,
    description:
      'Whether deposits are swept by themselves, once they are enough or have waited for long enough: on, or off.',
    form: { kind: 'word', words: ['on', 'off'] },
    default: 'on',
  },
  'sweeps.unreviewed_cap_usd': {
    ...general,
    description:
      'On mainnet, while nobody else has reviewed the sweep contracts: the balance of a vault in an asset is swept at this many US dollars at the latest.',
    form: { kind: 'usd' },
    default: '10000',
  },
  'payouts.sending': {
    ...general,
    description: 'Whether payouts of every project are signed (on), or wait until somebody resumes them (paused).',
    form: { kind: 'word', words: ['on', 'paused'] },
    default: 'on',
  },
  'payouts.from': {
    ...general,
    description:
      'What payouts may take: whatever the hot wallets hold (float), or at most what the project has earned in that currency (earned).',
    form: { kind: 'word', words: ['float', 'earned'] },
    default: 'float',
  },
  'withdrawal-payout-min-amount': {
    read: ['settings:read', 'referral:read'],
    write: ['settings:write', 'referral:write'],
    description: 'Smallest referral withdrawal in US dollars.',
    form: { kind: 'usd' },
    default: '10',
  },
  'merchant.webhook.apikey': {
    ...general,
    description: 'Access key of new webhook endpoints that an administrator adds; others get one of their own.',
    form: { kind: 'secret', min: 16, max: 255, isHeader: true },
  },
  'activity.log.export.limit': {
    ...general,
    description: 'Most rows in one export of the activity log.',
    form: { kind: 'wholeNumber', min: 1, max: 1_000_000 },
    default: '100000',
  },
  'backups.remind_after_days': {
    ...general,
    description:
      'Days after which the dashboard asks for a backup again; 0: it never asks, because this install is backed up in another way. The sandbox never asks.',
    form: { kind: 'wholeNumber', min: 0, max: 365 },
    default: '7',
  },
  'payram.templates.email.header': template('header'),
  'payram.templates.email.footer': template('footer'),
  'payram.templates.email.body': template('body'),
  'payram.templates.email.master': template('master'),
  'payram.templates.email.deposit.received.master': template('deposit received, master'),
  'payram.templates.email.deposit.received.subject': template('deposit received, subject'),
  'payram.templates.email.deposit.received.body': template('deposit received, body'),
  'payram.templates.email.default.header': template('header of e-mails with a code'),
  'payram.templates.email.default.footer': template('footer of e-mails with a code'),
  'payram.templates.email.default.otp.master': template('one-time code, master'),
  'payram.templates.email.default.otp.subject': template('one-time code, subject'),
  'payram.templates.email.default.otp.body': template('one-time code, body'),
  ssl: { ...withoutEffect, description: NO_EFFECT },
  'postal.endpoint': { ...withoutEffect, description: NO_EFFECT },
  'postal.apikey': { ...general, description: NO_EFFECT, form: { kind: 'secret', min: 1, max: LONG_TEXT } },
  'consumer.action.config': { ...withoutEffect, description: NO_EFFECT },
  'payram.setup_mode': { ...withoutEffect, description: NO_EFFECT },
}
