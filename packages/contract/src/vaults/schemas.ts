/** Vaults and the names of their entries; no shape of this file has a field for a value (api.md V). */
import * as z from 'zod/mini'

import { id, int, ts } from '../kit/codecs.ts'
import { oneOf, text } from '../kit/fields.ts'

/**
 * Where the key of a vault comes from: `file` and `env` are the master key of the server, read from there;
 * `passphrase` is known to people only.
 */
export const VAULT_PROVIDERS = ['file', 'env', 'passphrase'] as const
export type VaultProvider = (typeof VAULT_PROVIDERS)[number]

/** What a secret is for. */
export const SECRET_KINDS = [
  'hot-key',
  'smtp',
  'node',
  'webhook',
  'webhook-key',
  'totp',
  'api-key-state',
  'address-proof',
  'setting',
] as const
export type SecretKind = (typeof SECRET_KINDS)[number]

export const Vault = z.object({
  id,
  createdAt: ts,
  updatedAt: ts,
  name: z.string(),
  provider: z.enum(VAULT_PROVIDERS),
  /** `locked` while any running process cannot open it. */
  status: z.enum(['unlocked', 'locked']),
  /** The processes that run and may open secrets, and how many of them can open those of this vault. */
  processes: z.object({ total: int, unlocked: int }),
  secretCount: int,
  /** Secrets that no server could open when they were last checked. */
  unreadableCount: int,
  keyVersion: int,
  /** How many secrets the newest key wraps, while some still lie under an older one; else null. */
  rotation: z.nullable(z.object({ done: int, total: int })),
  isDefault: z.boolean(),
  lastUsedAt: z.nullable(ts),
})
export type Vault = z.output<typeof Vault>

/** A secret by name. */
export const Secret = z.object({
  id,
  kind: z.enum(SECRET_KINDS),
  label: z.string(),
  /** The hot wallet whose key it is. */
  walletID: z.nullable(id),
  createdAt: ts,
  rotatedAt: z.nullable(ts),
  /** Since when it cannot be opened; null while it can, or while its vault is locked. */
  unreadableSince: z.nullable(ts),
})
export type Secret = z.output<typeof Secret>

export const VaultDetail = z.extend(Vault, { secrets: z.array(Secret) })
export type VaultDetail = z.output<typeof VaultDetail>

/** A stolen database can be guessed at for years (as with backups). */
const LEAST_PASSPHRASE = 12

/** argon2 hashes any length; a request must not keep the processor busy with megabytes. */
const LONGEST_PASSPHRASE = 1024

/** The passphrase of a vault that exists: any text, compared as it is. */
const knownPassphrase = (label: string, required = `${label} is required`) =>
  z
    .string({ error: required })
    .check(
      z.minLength(1, { error: required }),
      z.maxLength(LONGEST_PASSPHRASE, { error: `${label} must be at most ${LONGEST_PASSPHRASE} characters long` }),
    )

const newPassphrase = knownPassphrase('Passphrase').check(
  z.minLength(LEAST_PASSPHRASE, { error: `Passphrase must be at least ${LEAST_PASSPHRASE} characters long` }),
)

const vaultName = text('Name', { max: 60 })

export const NewVault = z
  .object({
    name: vaultName,
    provider: oneOf('Provider', VAULT_PROVIDERS),
    passphrase: z.optional(newPassphrase),
  })
  .check(
    z.refine(({ provider, passphrase }) => provider !== 'passphrase' || passphrase !== undefined, {
      path: ['passphrase'],
      error: 'Passphrase is required',
    }),
    z.refine(({ provider, passphrase }) => provider === 'passphrase' || passphrase === undefined, {
      path: ['passphrase'],
      error: 'Only a vault with the provider passphrase has one',
    }),
  )
export type NewVault = z.output<typeof NewVault>

export const VaultChange = z
  .object({
    name: z.optional(vaultName),
    isDefault: z.optional(z.literal(true, { error: 'Make another vault the default instead' })),
    passphrase: z.optional(newPassphrase),
    currentPassphrase: z.optional(knownPassphrase('Current passphrase')),
  })
  .check(
    z.refine(({ passphrase, currentPassphrase }) => passphrase === undefined || currentPassphrase !== undefined, {
      path: ['currentPassphrase'],
      error: 'Current passphrase is required',
    }),
  )
export type VaultChange = z.output<typeof VaultChange>

export const UnlockVault = z.object({ passphrase: knownPassphrase('Passphrase') })
export type UnlockVault = z.output<typeof UnlockVault>
