import type { Context } from '../../../context.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'
import { listBlockchains } from '../../blockchains/chains/service.ts'
import { lagAlarms } from './rules.ts'
import { listPaces, updateUnread } from '../blocks/cursor-store.ts'

/** From then on payers are told to wait, rather than be left without a word (money.md 2.10). */
const UNREAD_MS = 60_000

/**
 * Raises and clears the alarms of blockchains that are behind or silent, from what their leaders wrote; so that somebody
 * hears of it also when no leader is left. Local chains stand still when nobody pays, and are left alone.
 */
export async function checkLag(ctx: Context): Promise<void> {
  const paces = await listPaces(ctx)
  for (const { id, code, status, definition } of await listBlockchains(ctx)) {
    const pace = paces.get(id)
    const isRead = status === 'active' && pace !== undefined && pace.state !== 'halted'
    const { chain_behind: behind, chain_silent: silent } = isRead
      ? lagAlarms({ ...pace, blockSeconds: definition.blockSeconds }, ctx.now())
      : { chain_behind: null, chain_silent: null }
    const unreadSince = new Date(ctx.now().getTime() - UNREAD_MS)
    if (isRead) await updateUnread(ctx, id, unreadSince, 'Nobody reads this network right now.')
    await set(ctx, 'chain_behind', code, behind)
    await set(ctx, 'chain_silent', code, ctx.config.network === 'sandbox' ? null : silent)
  }
}

function set(ctx: Context, kind: 'chain_behind' | 'chain_silent', code: string, text: string | null): Promise<void> {
  if (text === null) return clearAlarm(ctx, { kind, subject: code })
  return raiseAlarm(ctx, { kind, subject: code, text: `${code}: ${text}` })
}
