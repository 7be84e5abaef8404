import type { Context } from '../../context.ts'
import { openEnvelope } from './keys/envelope.ts'
import { vaultKey } from './keys/held-keys.ts'
import { envelopeLabel } from './rules.ts'
import type { FoundSecret } from './store.ts'

/** Opens a secret that was read. @throws VAULT_LOCKED, and Error when the master key is another one or a bit differs */
export async function openFound(ctx: Context, row: FoundSecret): Promise<Buffer> {
  const vault = { id: row.vault_id, provider: row.provider, lock_count: row.lock_count }
  const key = await vaultKey(ctx, vault, row.key_version)
  try {
    const envelope = { wrappedKey: row.wrapped_key, sealed: row.sealed }
    return openEnvelope(key, envelope, envelopeLabel({ ...row, vaultId: row.vault_id }))
  } finally {
    key.fill(0)
  }
}
