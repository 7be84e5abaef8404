/** What was done to vaults (api.md V9): rows of the activity log in the words of clients that ask for vaults alone. */
import * as z from 'zod/mini'

import type { AuditEventName } from '../audit/events.ts'
import { id, ts } from '../kit/codecs.ts'
import { oneOf } from '../kit/fields.ts'
import { pageInput, spanInput } from '../kit/paging.ts'

/** What each call is called in the list, by the name of its route. */
export const VAULT_EVENTS = {
  createVault: { activityType: 'add', displayName: 'Vault added' },
  changeVault: { activityType: 'change', displayName: 'Vault changed' },
  unlockVault: { activityType: 'unlock', displayName: 'Vault unlocked' },
  lockVault: { activityType: 'lock', displayName: 'Vault locked' },
  rotateVault: { activityType: 'rotate', displayName: 'Vault rotated' },
  deleteVault: { activityType: 'delete', displayName: 'Vault deleted' },
  addHotWallet: { activityType: 'add', displayName: 'Hot wallet key added' },
} as const satisfies { readonly [Name in AuditEventName]?: object }

export type VaultEventName = keyof typeof VAULT_EVENTS

/** What the key of a hot wallet may be for: paying network fees, or paying out. Each purpose has a key of its own. */
export const VAULT_FUNCTIONS = [
  ['eth_gas_wallet', 'EVM gas wallet', 'Pays the network fees of sweeps on EVM networks'],
  ['eth_hot_wallet', 'EVM hot wallet', 'Pays out on EVM networks'],
  ['trx_gas_wallet', 'TRON gas wallet', 'Pays the network fees of sweeps on TRON'],
  ['trx_hot_wallet', 'TRON hot wallet', 'Pays out on TRON'],
] as const

const ACTIVITY_TYPES = ['add', 'change', 'unlock', 'lock', 'rotate', 'delete'] as const
const FUNCTION_TYPES = ['eth_gas_wallet', 'eth_hot_wallet', 'trx_gas_wallet', 'trx_hot_wallet'] as const

export const VaultActivity = z.object({
  id,
  createdAt: ts,
  activityType: z.enum(ACTIVITY_TYPES),
  displayName: z.string(),
  /** What the call does, and why it was refused, in English. */
  description: z.string(),
  walletID: z.nullable(id),
  /** Null where it is not known: of a vault that could not be made. */
  vaultID: z.nullable(id),
  /** Null when no operator was signed in. */
  actor: z.nullable(z.object({ id, name: z.string(), email: z.string() })),
  result: z.enum(['ok', 'refused']),
  /** The hash of the entry of the activity log; null for the seconds until it is sealed. */
  digest: z.nullable(z.string()),
})

export type VaultActivity = z.output<typeof VaultActivity>

export const VaultFunction = z.object({
  id,
  activityType: z.enum(FUNCTION_TYPES),
  displayName: z.string(),
  description: z.string(),
  walletID: z.nullable(id),
})

export type VaultFunction = z.output<typeof VaultFunction>

export const VaultActivityQuery = z.object({
  limit: pageInput.limit,
  cursor: pageInput.cursor,
  vaultID: z.optional(id),
  walletID: z.optional(id),
  activityType: z.optional(oneOf('Activity', [...ACTIVITY_TYPES, ...FUNCTION_TYPES])),
  ...spanInput,
  /** `functions` answers what the key of a wallet may be for. */
  view: z.optional(oneOf('View', ['activities', 'functions'])),
})

export type VaultActivityQuery = z.output<typeof VaultActivityQuery>
