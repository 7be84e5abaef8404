import type { Secret, SecretKind, Vault, VaultDetail } from '@kassa/contract/vaults/schemas.ts'

import type { CountedVault } from './store.ts'
import type { SecretFacts } from './tables.ts'

/** Processes that run, and by vault how many of them can open it. */
export type OpenProcesses = { readonly total: number; readonly open: ReadonlyMap<number, number> }

/** Kinds as the contract names them; those of another version are listed as settings. */
const KINDS: Readonly<Record<string, SecretKind>> = {
  hot_key: 'hot-key',
  mail_password: 'smtp',
  node: 'node',
  webhook: 'webhook',
  webhook_key: 'webhook-key',
  totp: 'totp',
  api_key_hmac: 'api-key-state',
  address_proof: 'address-proof',
  setting: 'setting',
}

/** A vault as V1 answers it. */
export function vaultView(vault: CountedVault, { total, open }: OpenProcesses): Vault {
  const unlocked = vault.provider === 'passphrase' ? (open.get(vault.id) ?? 0) : total
  return {
    id: vault.id,
    createdAt: vault.created_at,
    updatedAt: vault.updated_at,
    name: vault.name,
    provider: vault.provider,
    status: vault.provider === 'passphrase' && (unlocked === 0 || unlocked < total) ? 'locked' : 'unlocked',
    processes: { total, unlocked },
    secretCount: vault.secret_count,
    unreadableCount: vault.unreadable_count,
    keyVersion: vault.key_version,
    rotation: vault.old_count > 0 ? { done: vault.secret_count - vault.old_count, total: vault.secret_count } : null,
    isDefault: vault.is_default,
    lastUsedAt: vault.last_used_at,
  }
}

/** A vault with its secrets by name, as V2 and V4 answer it. */
export function vaultDetailView(vault: Vault, secrets: readonly SecretFacts[]): VaultDetail {
  return { ...vault, secrets: secrets.map(secretView) }
}

function secretView(secret: SecretFacts): Secret {
  return {
    id: secret.id,
    kind: KINDS[secret.kind] ?? 'setting',
    label: secret.label,
    walletID: secret.wallet_id,
    createdAt: secret.created_at,
    rotatedAt: secret.rotated_at,
    unreadableSince: secret.unreadable_since,
  }
}
