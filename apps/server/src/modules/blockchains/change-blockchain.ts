import { type BlockchainChange, NodeUrl } from '@kassa/contract/blockchains/inputs.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { adapterOf } from '@kassa/chains/adapters.ts'
import type { ChainFamily } from '@kassa/primitives/chains/families.ts'

import { actorOf, type Context, inTransaction } from '../../context.ts'
import { preferNode, publishChange, tryChange, type TriedPreference, tryPreferred } from './nodes/manage-nodes.ts'
import { listNodes } from './nodes/service.ts'
import { type BlockchainRow, SWITCHED_OFF } from './chains/rows.ts'
import { rescanRequests } from './chains/service.ts'
import { lockBlockchain, updateBlockchain } from './chains/store.ts'

/** The change to the nodes of a blockchain that is being changed; null for none. */
export type TriedServer = TriedPreference | null

/**
 * Asks the node at the address through which a blockchain is to be read. Call it before a transaction.
 * @throws NODE_WRONG_NETWORK, NODE_UNREACHABLE, EGRESS_NOT_ALLOWED, FAMILY_UNSUPPORTED, VALIDATION_FAILED
 */
export async function tryServer(ctx: Context, row: BlockchainRow, change: BlockchainChange): Promise<TriedServer> {
  const { server, serverApiKey: apiKey, serverUsername: authUsername, serverPassword: authPassword } = change
  if (!server && apiKey === undefined && authUsername === undefined && authPassword === undefined) return null
  if (!adapterOf(row.definition.family)) return fail('FAMILY_UNSUPPORTED')
  if (server)
    return tryPreferred(ctx, row, { url: nodeUrl(server, row.definition.family), apiKey, authUsername, authPassword })
  const [first] = await listNodes(ctx, row.id)
  if (!first) return fail('VALIDATION_FAILED', { fields: { server: 'Server is required' } })
  const secrets = { apiKey, authUsername, authPassword }
  return { id: first.id, change: secrets, tried: await tryChange(ctx, row, first.id, secrets) }
}

/**
 * Changes a blockchain: its preferred node, name, explorers, depth and switch; with `rescan` its blocks are read again.
 * @throws FAMILY_UNSUPPORTED, NODE_NOT_FOUND, NODE_EXISTS, and LAST_NODE when it is switched on without a node
 */
export async function changeBlockchain(
  ctx: Context,
  row: BlockchainRow,
  change: BlockchainChange,
  server: TriedServer,
): Promise<void> {
  if (server) await preferNode(ctx, row, server)
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
      ...(change.status === 'active' && { status: 'active', inactive_cause: null }),
      ...(change.status === 'inactive' && {
        status: 'inactive',
        inactive_cause: JSON.stringify(SWITCHED_OFF),
      }),
    })
    if (change.rescan && change.height !== undefined && change.height >= 1) {
      const by = actorOf(tx.caller)
      await rescanRequests.send(tx, { blockchainId: row.id, fromHeight: change.height, by })
    }
    await publishChange(tx, row)
    const { name, minConfirmations, explorerAddress, explorerTransaction, status, rescan, height } = change
    const asked = { name, minConfirmations, explorerAddress, explorerTransaction, status, rescan, height }
    tx.change(null, { code: row.code, ...asked })
  })
}

/**
 * Nodes are called over HTTP. Older programs send the websocket URL of a node, which answers both at one address; for Bitcoin
 * they send host and port alone.
 */
function nodeUrl(server: string, family: ChainFamily): string {
  const isBare = family === 'BTC_Family' && /^[\w.-]+:\d+$/.test(server)
  const checked = NodeUrl.safeParse(isBare ? `http://${server}` : server.replace(/^ws(s?):/i, 'http$1:'))
  if (checked.success) return checked.data
  const [{ message } = { message: '' }] = checked.error.issues
  return fail('VALIDATION_FAILED', { message, fields: { server: message } })
}

async function refuseWithoutNode(ctx: Context, row: BlockchainRow): Promise<void> {
  if (!adapterOf(row.definition.family)) fail('FAMILY_UNSUPPORTED')
  // The sandbox's process that runs the local chains starts this node and stores it.
  if (ctx.config.network === 'sandbox' && row.definition.inSandbox === 'on-request') return
  if (!(await listNodes(ctx, row.id)).some(({ isActive }) => isActive)) fail('LAST_NODE')
}

/** Appends the placeholder to a template without one; an empty template means none. */
function withMark(template: string, mark: string): string | null {
  if (template === '') return null
  if (template.includes(mark)) return template
  return `${template}${/[/=]$/.test(template) ? '' : '/'}${mark}`
}
