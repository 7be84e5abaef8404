import { type Context, inTransaction } from '../../context.ts'
import { clearAlarm, raiseAlarm } from '../alarms/service.ts'
import { listSecretFacts, listVaults, updateReadable } from './store.ts'

/** The alarm names this many; the list of the vault shows them all. */
const MOST_NAMES = 5

/** Stores which secrets of a vault can be opened, and raises or clears its alarm. */
export async function noteReadable(
  ctx: Context,
  vaultId: number,
  found: { readonly checked: readonly number[]; readonly unreadable: readonly number[] },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await updateReadable(tx, found)
    const [vault] = await listVaults(tx, vaultId)
    const alarm = { kind: 'secrets_unreadable', subject: `vault:${vaultId}` } as const
    const count = vault?.unreadable_count ?? 0
    if (!vault || count === 0) return clearAlarm(tx, alarm)
    const { name: vaultName, secret_count } = vault
    if (count > 1 && count === secret_count) return raiseAlarm(tx, { ...alarm, params: { case: 'all', vaultName } })
    const unreadable = (await listSecretFacts(tx, vaultId)).filter((secret) => secret.unreadable_since !== null)
    const names = unreadable.slice(0, MOST_NAMES).map(({ label }) => label)
    await raiseAlarm(tx, { ...alarm, params: { case: 'rows', vaultName, count, names } })
  })
}
