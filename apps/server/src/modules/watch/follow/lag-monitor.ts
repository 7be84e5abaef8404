import type { Context } from '../../../context.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'
import { listBlockchains } from '../../blockchains/chains/service.ts'
import { lagAlarms } from './rules.ts'
import { listLagFacts, updateUnread } from '../blocks/cursor-store.ts'

/** After this long without reading, payers see that they have to wait (money.md 2.10). */
const UNREAD_MS = 60_000

/**
 * Raises and clears the alarms of blockchains that are behind or silent, from what their leaders stored. A worker runs it, so
 * that alarms are raised even when no leader is left. Local chains are left out, because they mine only when a payment is sent.
 */
export async function checkLag(ctx: Context): Promise<void> {
  const lagFacts = await listLagFacts(ctx)
  for (const { id, code, status, definition } of await listBlockchains(ctx)) {
    const facts = lagFacts.get(id)
    const isRead = status === 'active' && facts !== undefined && facts.state !== 'halted'
    const { behind, silent } = isRead
      ? lagAlarms({ ...facts, blockSeconds: definition.blockSeconds }, ctx.now())
      : { behind: null, silent: null }
    const unreadSince = new Date(ctx.now().getTime() - UNREAD_MS)
    if (isRead) await updateUnread(ctx, id, unreadSince, { code: 'no_process', params: {} })
    const isSilent = silent !== null && ctx.config.network !== 'sandbox'
    if (behind === null) await clearAlarm(ctx, { kind: 'chain_behind', subject: code })
    else await raiseAlarm(ctx, { kind: 'chain_behind', subject: code, params: { blockchainCode: code, ...behind } })
    if (!isSilent) await clearAlarm(ctx, { kind: 'chain_silent', subject: code })
    else await raiseAlarm(ctx, { kind: 'chain_silent', subject: code, params: { blockchainCode: code, ...silent } })
  }
}
