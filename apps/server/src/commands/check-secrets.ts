/**
 * `npm run check-secrets`: opens each secret once and forgets it, prints those that the master key does not open by name, and
 * ends with 0 only when all of them open. On a terminal it asks for the passphrase of a vault that has one. Changes
 * nothing; Kassa may be running.
 */
import { ApiError } from '@kassa/contract/kit/api-error.ts'

import type { Context } from '../context.ts'
import { type CheckedVault, checkSecrets, openVaultHere } from '../modules/vaults/service.ts'
import { askPassphrase } from './passphrase.ts'
import { runCommand } from './with-context.ts'

process.exitCode = await runCommand('check-secrets', async (ctx) => {
  let vaults = await checkSecrets(ctx)
  if (process.stdin.isTTY && (await unlock(ctx, vaults))) vaults = await checkSecrets(ctx)
  vaults.forEach(print)
  const bad = vaults.reduce((sum, { unreadable }) => sum + unreadable.length, 0)
  const locked = vaults.filter(({ isLocked, vault }) => isLocked && vault.secret_count > 0)
  if (bad > 0) console.log(`${bad} secret(s) cannot be opened: another master key, or rows that were changed.`)
  else if (locked.length === 0) console.log('The master key opens every secret.')
  return bad === 0 && locked.length === 0 ? 0 : 1
})

/** Asks for the passphrases of locked vaults; whether one was right. */
async function unlock(ctx: Context, vaults: readonly CheckedVault[]): Promise<boolean> {
  let hasOpened = false
  for (const { vault } of vaults.filter(({ isLocked }) => isLocked)) {
    const passphrase = await askPassphrase(`Passphrase of the vault ${vault.name} (Enter leaves it out): `)
    if (passphrase === '') continue
    try {
      await openVaultHere(ctx, vault, passphrase)
      hasOpened = true
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      console.log(thrown.message)
    }
  }
  return hasOpened
}

function print({ vault, isLocked, checked, unreadable }: CheckedVault): void {
  for (const { id, label, kind } of unreadable) console.log(`CLOSED  ${vault.name}: ${label} (${kind}, secret ${id})`)
  if (isLocked) return console.log(`LOCKED  ${vault.name}: ${vault.secret_count} secret(s) were not opened.`)
  if (unreadable.length === 0) console.log(`ok      ${vault.name}: ${checked} secret(s)`)
}
