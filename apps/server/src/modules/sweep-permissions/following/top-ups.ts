import type { Context, StoredEvent } from '../../../context.ts'
import type { ContinueOnError } from '../../../jobs/continue-on-error.ts'
import { listAssets } from '../../blockchains/chains/service.ts'
import { post, reverse } from '../../ledger/service.ts'
import { readSendMoved, type SendMoved, startSend } from '../../sends/service.ts'
import { topUpEntry, topUpSource } from '../record/postings.ts'
import {
  findFeeFacts,
  findSendFacts,
  listTopUps,
  lockApproval,
  type TopUp,
  updateToppedUp,
  updateTopUpSend,
} from '../record/store.ts'

/** Top-ups handled in one pass. */
const BATCH = 50

/**
 * Signs planned top-ups, oldest first. Harmless to repeat: a top-up is in one send only (D-1). One that waits for its
 * wallet or chain, or fails, makes the others of that wallet wait too.
 */
export async function signTopUps(ctx: Context, { attempt }: ContinueOnError): Promise<void> {
  const held = new Set<string>()
  for (const topUp of await listTopUps(ctx, BATCH)) {
    const lane = `${topUp.walletId} ${topUp.blockchainId}`
    if (held.has(lane)) continue
    const isSigned = await attempt({ approvalId: String(topUp.id) }, () => signTopUp(ctx, topUp))
    if (!isSigned) held.add(lane)
  }
}

async function signTopUp(
  ctx: Context,
  { id, blockchainId, walletId, address, units, ceiling }: TopUp,
): Promise<boolean> {
  const coin = (await listAssets(ctx)).find((one) => one.blockchainId === blockchainId && one.standard === 'native')
  if (!coin) throw new Error(`Blockchain ${blockchainId} has no coin of its own`)
  const result = await startSend(ctx, {
    ...{ walletId, blockchainId, purpose: 'topup', projectId: null, maxFee: ceiling, item: { permissionId: id } },
    intent: { kind: 'transfer', assetId: coin.id, to: address, units },
    within: (tx, started) => updateTopUpSend(tx, id, started.sendId),
  })
  if (result.kind === 'started' || result.kind === 'declined') return true
  ctx.log.info({ approvalId: String(id), why: result.why }, 'gas for an approval is not sent yet')
  return false
}

/**
 * Subscriber: moves a top-up with its send, in the same transaction. Final: the coins are on the address, also in the ledger.
 * Failed: the address is asked again later.
 */
export async function followTopUp(tx: Context, event: StoredEvent): Promise<void> {
  const moved = readSendMoved(event)
  if (!('permissionId' in moved.item)) return
  const approval = await lockApproval(tx, moved.item.permissionId)
  if (!approval) throw new Error(`Send ${moved.sendId} has no approval to bring gas to`)
  if (moved.state === 'processed') return noteToppedUp(tx, approval, moved)
  if (moved.state === 'reopened') {
    await reverse(tx, [topUpSource(approval.id)])
    await updateToppedUp(tx, approval.id, { topped_up_at: null })
  }
  if (moved.state === 'failed' && approval.state === 'open') await updateToppedUp(tx, approval.id, { state: 'lapsed' })
}

async function noteToppedUp(
  tx: Context,
  approval: NonNullable<Awaited<ReturnType<typeof lockApproval>>>,
  { sendId, block }: SendMoved,
): Promise<void> {
  const send = await findSendFacts(tx, sendId)
  if (!send || block === null) throw new Error(`Top-up ${approval.id} has no send or no block`)
  const { blockchainId, walletId } = send
  const facts = await findFeeFacts(tx, { addressId: approval.address_id, blockchainId })
  const nth = approval.top_up_entries + 1
  const topUp = { approvalId: approval.id, walletId, units: BigInt(approval.top_up_units), nth }
  await post(tx, [
    topUpEntry({ addressId: approval.address_id, ...facts }, topUp, { blockchainId, height: block.height }),
  ])
  await updateToppedUp(tx, approval.id, { topped_up_at: tx.now(), top_up_entries: nth })
  tx.events.announce(tx, { name: 'permission.due', projectId: null, data: { blockchainId } })
}
