import type { BlockchainChange } from '@kassa/contract/blockchains/inputs.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { adapterOf } from '@kassa/chains/adapters.ts'

import { actorOf, type Context, inTransaction } from '../../context.ts'
import { changeNode, preferNode, publishChange } from './nodes/manage-nodes.ts'
import { listNodes } from './nodes/service.ts'
import { type BlockchainRow, SWITCHED_OFF } from './chains/rows.ts'
import { rescanRequests } from './chains/service.ts'
import { lockBlockchain, updateBlockchain } from './chains/store.ts'

/**
 * Changes a blockchain: its preferred node, name, explorers, depth and switch; with `rescan` its blocks are read again.
 * @throws NODE_WRONG_NETWORK, NODE_UNREACHABLE, EGRESS_NOT_ALLOWED, FAMILY_UNSUPPORTED, VALIDATION_FAILED, and LAST_NODE when it
 * is switched on without a node
 */
export async function changeBlockchain(ctx: Context, row: BlockchainRow, change: BlockchainChange): Promise<void> {
  await changeServer(ctx, row, change)
  await inTransaction(ctx, async (tx) => {
    await lockBlockchain(tx, row.id)
    if (change.status === 'active') await refuseWithoutNode(tx, row)
    await updateBlockchain(tx, row.id, {
      ...(change.name !== undefined && { name: change.name || null }),
      ...(change.minConfirmations !== undefined && { min_confirmations: change.minConfirmations }),
      ...(change.explorerAddress !== undefined && {
        explorer_address: withMark(change.explorerAddress, '{address}'),
      }),
      ...(change.explorerTransaction !== undefined && {
        explorer_transaction: withMark(change.explorerTransaction, '{tx}'),
      }),
      ...(change.status === 'active' && { status: 'active', reason: null }),
      ...(change.status === 'inactive' && { status: 'inactive', reason: SWITCHED_OFF }),
    })
    if (change.rescan && change.height !== undefined && change.height >= 1) {
      const by = actorOf(tx.caller)
      await rescanRequests.send(tx, { blockchainId: row.id, fromHeight: change.height, by })
    }
    await publishChange(tx, row)
  })
}

async function changeServer(ctx: Context, row: BlockchainRow, change: BlockchainChange): Promise<void> {
  const { server: url, serverApiKey: apiKey, serverUsername: authUsername, serverPassword: authPassword } = change
  if (url !== undefined) return preferNode(ctx, row, { url, apiKey, authUsername, authPassword })
  if (apiKey === undefined && authUsername === undefined && authPassword === undefined) return
  const [first] = await listNodes(ctx, row.id)
  if (!first) return fail('VALIDATION_FAILED', { fields: { server: 'Server is required' } })
  await changeNode(ctx, row, first.id, { apiKey, authUsername, authPassword })
}

async function refuseWithoutNode(ctx: Context, row: BlockchainRow): Promise<void> {
  if (!adapterOf(row.definition.family)) fail('FAMILY_UNSUPPORTED')
  if (!(await listNodes(ctx, row.id)).some(({ isActive }) => isActive)) fail('LAST_NODE')
}

/** Appends the placeholder to a template without one; an empty template means none. */
function withMark(template: string, mark: string): string | null {
  if (template === '') return null
  if (template.includes(mark)) return template
  return `${template}${/[/=]$/.test(template) ? '' : '/'}${mark}`
}
