import * as z from 'zod/mini'

import { id, ts } from '../kit/codecs.ts'
import { MAX_ALLOWED_IPS } from './limits.ts'
import { clearableText, oneOf, wholeNumber } from '../kit/fields.ts'

export const API_KEY_STATUSES = ['active', 'inactive'] as const

/** What I6 does to a key; older clients call the first two by the states that the next two lead to. */
export const API_KEY_ACTIONS = ['active', 'inactive', 'activate', 'deactivate', 'rotate'] as const
export type ApiKeyAction = (typeof API_KEY_ACTIONS)[number]

const head = {
  id,
  createdAt: ts,
  updatedAt: ts,
  name: z.string(),
  description: z.string(),
  status: z.enum(API_KEY_STATUSES),
  /** The first characters, enough to recognise a key in a configuration file. */
  keyPrefix: z.string(),
  last4: z.string(),
}

const tail = {
  externalPlatformID: id,
  roleID: z.literal(3),
  role: z.object({ name: z.literal('platform_admin') }),
  /** Who created it. */
  memberID: id,
  scopes: z.array(z.string()),
  allowedIPs: z.array(z.string()),
  expiresAt: z.nullable(ts),
  lastUsedAt: z.nullable(ts),
  lastUsedIP: z.nullable(z.string()),
  /** Until then, the value that was replaced last works as well. */
  previousKeyUntil: z.nullable(ts),
  usedByWebhook: z.boolean(),
}

export const ApiKey = z.object({ ...head, ...tail })
export type ApiKey = z.output<typeof ApiKey>

/** The creating answer: the only one that carries the key; null when the answer is replayed. */
export const NewApiKey = z.object({ ...head, key: z.nullable(z.string()), ...tail })
export type NewApiKey = z.output<typeof NewApiKey>

/** What an action answers; a rotation carries the key, as a creation does. */
export const ChangedApiKey = z.object({ ...head, key: z.optional(z.nullable(z.string())), ...tail })
export type ChangedApiKey = z.output<typeof ChangedApiKey>

const label = clearableText('Description')

const scopes = z.optional(
  z.array(z.string({ error: 'Scopes must be a list of texts' }), { error: 'Scopes must be a list' }),
)
const allowedIPs = z.optional(
  z
    .array(
      z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], {
        error: 'Allowed IPs must be addresses or networks such as 203.0.113.0/24',
      }),
      { error: 'Allowed IPs must be a list' },
    )
    .check(z.maxLength(MAX_ALLOWED_IPS, { error: `Allowed IPs must be at most ${MAX_ALLOWED_IPS} networks` })),
)

export const CreateApiKey = z.object({
  description: label,
  name: clearableText('Name', { max: 100 }),
  scopes,
  preset: z.optional(z.string({ error: 'Preset must be text' })),
  roleName: z.optional(z.string({ error: 'Role must be text' })),
  allowedIPs,
  expiresAt: z.optional(z.nullable(ts)),
})

/** Absent fields stay; an empty list of addresses allows every address, and no expiry means that the key never expires. */
export const ChangeApiKey = z.object({
  description: label,
  name: clearableText('Name', { max: 100 }),
  scopes,
  allowedIPs,
  expiresAt: z.optional(z.nullable(ts)),
  status: z.optional(oneOf('Status', API_KEY_STATUSES)),
})
export type ChangeApiKey = z.output<typeof ChangeApiKey>

/** Hours in which the value that a rotation replaces works as well; a day where they are absent. */
export const ApiKeyActionBody = z.object({ overlapHours: z.optional(wholeNumber('Overlap', 0, 168)) })

/** What older installers send; without a role the key gets the usual scopes. */
export const CreateKeyOfProject = z.object({
  externalPlatformID: z.int({ error: 'Project is required' }),
  roleName: z.optional(z.string({ error: 'Role must be text' })),
})
