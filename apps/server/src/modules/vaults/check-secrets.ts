import { ApiError } from '@kassa/contract/kit/api-error.ts'

import type { Context } from '../../context.ts'
import { job } from '../../jobs/jobs.ts'
import { isOpen } from './keys/held-keys.ts'
import { openFound } from './open-secret.ts'
import { type CountedVault, type FoundSecret, listSecrets, listVaults } from './store.ts'
import { noteReadable } from './unreadable.ts'

/** Secrets that are read at once. */
const PAGE = 500

/** Opening ten thousand secrets takes less than a second, and a secret that was changed without Kassa is noticed soon. */
export const watchSecretsJob = job({
  queue: 'vaults.watch-secrets',
  worker: 'account-processor',
  run: watchSecrets,
  everySeconds: 600,
})

export type CheckedVault = {
  readonly vault: CountedVault
  /** It is locked, so nothing was opened. */
  readonly isLocked: boolean
  readonly checked: number
  readonly unreadable: readonly FoundSecret[]
}

/** Opens each secret once and says which cannot be opened; changes nothing. */
export async function checkSecrets(ctx: Context): Promise<CheckedVault[]> {
  const found = []
  for (const vault of await listVaults(ctx)) found.push(await checkVault(ctx, vault))
  return found
}

/** Opens each secret once, and raises an alarm for those that cannot be opened. */
export async function watchSecrets(ctx: Context): Promise<void> {
  for (const vault of await listVaults(ctx)) {
    const ids: number[] = []
    const { isLocked, unreadable } = await checkVault(ctx, vault, (secret) => void ids.push(secret.id))
    if (!isLocked) await noteReadable(ctx, vault.id, { checked: ids, unreadable: unreadable.map(({ id }) => id) })
  }
}

async function checkVault(
  ctx: Context,
  vault: CountedVault,
  each: (secret: FoundSecret) => void = () => undefined,
): Promise<CheckedVault> {
  const unreadable: FoundSecret[] = []
  let checked = 0
  if (!(await isOpen(ctx, vault))) return { vault, isLocked: true, checked, unreadable }
  for (let after = 0; ;) {
    const page = await listSecrets(ctx, vault.id, after, PAGE)
    for (const secret of page) {
      each(secret)
      if (!(await opens(ctx, secret))) unreadable.push(secret)
    }
    checked += page.length
    const last = page.at(-1)
    if (!last) return { vault, isLocked: false, checked, unreadable }
    after = last.id
  }
}

/** @throws VAULT_LOCKED when it was locked meanwhile, which says nothing about the secret */
async function opens(ctx: Context, secret: FoundSecret): Promise<boolean> {
  try {
    ;(await openFound(ctx, secret)).fill(0)
    return true
  } catch (thrown) {
    if (thrown instanceof ApiError) throw thrown
    return false
  }
}
