import type { Context } from '../../context.ts'

/** Emits what happened to a vault: other processes look for keys, and open screens read it again. */
export async function emitVaultChanged(ctx: Context, vaultID: number, what: string): Promise<void> {
  await ctx.events.emit(ctx, { type: 'vault.changed', projectId: null, payload: { vaultID, what } })
}
