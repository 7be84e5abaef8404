/**
 * Blockchains: which networks this installation speaks to, the currencies it can credit on each, the nodes it reads them
 * through, and what each project accepts. The facts come from the definitions; operators choose nodes and switches.
 */
import type { ChainAdapter, ChainSession } from '@kassa/chains/adapter.ts'
import { adapterOf as findAdapter } from '@kassa/chains/adapters.ts'
import type { RpcClient } from '@kassa/chains/node/client.ts'
import { fail } from '@kassa/contract/kit/refusal.ts'
import { findBlockchain as findDefinition } from '@kassa/primitives/chains/blockchains.ts'
import { findCurrency } from '@kassa/primitives/chains/currencies.ts'
import type { ChainFamily } from '@kassa/primitives/chains/families.ts'

import { type Context, inTransaction } from '../../context.ts'
import { type NodeUse, operatorOf } from './choose-node.ts'
import { connectTo, connectToAnother, distrust, isFit } from './connections.ts'
import { listNodes, replaceNodes } from './node-store.ts'
import { type Asset, type BlockchainRow, type NodeRow, SWITCHED_OFF } from './rows.ts'
import { seed } from './seed.ts'
import {
  activateBlockchain,
  findAssetRow,
  insertAcceptedAssets,
  listAcceptedAssets,
  listAssetRows,
  listBlockchainRows,
  listOwnExplorers,
} from './store.ts'

export { listPaymentOptions, listProjectAssets, setProjectAssets, switchPaymentOptions } from './accepted-assets.ts'
export { changeAsset } from './change-asset.ts'
export { changeBlockchain } from './change-blockchain.ts'
export { checkAssets } from './check-assets.ts'
export { startLookingAfterNodes } from './look-after-nodes.ts'
export { addNode, changeNode, removeNode } from './manage-nodes.ts'
export type { Asset, BlockchainRow, NodeRow } from './rows.ts'
export { testConnection } from './test-connection.ts'

/** Work for a worker: every enabled asset is compared with its contract, daily and at the start. */
export const CHECK_ASSETS_QUEUE = 'blockchains.check-assets'

/** Writes the blockchains and assets of the installation's network; doing it again changes nothing. */
export function seedBlockchains(ctx: Context): Promise<void> {
  return seed(ctx)
}

/** Every blockchain with how far it was read, by id. */
export function listBlockchains(ctx: Context): Promise<BlockchainRow[]> {
  return listBlockchainRows(ctx)
}

/** A blockchain by its id, code, alias or name, or undefined. */
export async function findBlockchain(ctx: Context, idOrName: number | string): Promise<BlockchainRow | undefined> {
  const definition = findDefinition(idOrName)
  if (!definition) return undefined
  const [row] = await listBlockchainRows(ctx, definition.id)
  return row
}

/** The nodes of a blockchain, or of all, their secrets masked; the one to ask first at the head. */
export function nodesOf(ctx: Context, blockchainId?: number): Promise<NodeRow[]> {
  return listNodes(ctx, blockchainId)
}

/** Where operators want transactions looked up, by blockchain code; the network's usual explorer where they did not say. */
export function ownExplorers(ctx: Context): Promise<ReadonlyMap<string, string>> {
  return listOwnExplorers(ctx)
}

/** Every asset, by id. */
export function listAssets(ctx: Context): Promise<Asset[]> {
  return listAssetRows(ctx)
}

/** One asset. @throws ASSET_NOT_FOUND */
export async function getAsset(ctx: Context, id: number): Promise<Asset> {
  return (await findAssetRow(ctx, id)) ?? fail('ASSET_NOT_FOUND')
}

/** One asset by blockchain and currency, each by code, alias or id. @throws ASSET_NOT_FOUND */
export async function findAsset(ctx: Context, blockchain: string, currency: string): Promise<Asset> {
  const blockchainId = findDefinition(blockchain)?.id
  const currencyId = findCurrency(currency)?.id
  const assets = await listAssetRows(ctx)
  const found = assets.find((asset) => asset.blockchainId === blockchainId && asset.currencyId === currencyId)
  return found ?? fail('ASSET_NOT_FOUND')
}

/** What a project accepts and can be paid with now: switched on, on an active blockchain; by id. */
export function acceptedAssets(ctx: Context, projectId: number): Promise<Asset[]> {
  return listAcceptedAssets(ctx, projectId)
}

/** Lets a project accept every asset that is switched on; what it accepts already stays. */
export function acceptAllAssets(ctx: Context, projectId: number): Promise<void> {
  return insertAcceptedAssets(ctx, projectId)
}

/** The code that speaks to a family of chains, or undefined while there is none. */
export function adapterOf(family: ChainFamily): ChainAdapter | undefined {
  return findAdapter(family)
}

/**
 * Opens a blockchain through the node that is best to ask now; one that did not prove yet which network it serves does so
 * first. Null when it has no active node. `use: 'audit'` gives way to the head when a daily budget grows small.
 * @throws BLOCKCHAIN_NOT_FOUND, NODE_WRONG_NETWORK, RetryableRpcError while every node has to be left alone, or what the last
 * node tried failed with
 */
export async function openChain(
  ctx: Context,
  blockchainId: number,
  signal?: AbortSignal,
  use?: NodeUse,
): Promise<ChainSession | null> {
  const [row] = await listBlockchainRows(ctx, blockchainId)
  return connectTo(ctx, row ?? fail('BLOCKCHAIN_NOT_FOUND'), { signal, use })
}

/** Says that a turn with a node failed: the next `openChain` takes another one, or has this one prove itself again. */
export function distrustNode(node: RpcClient): void {
  distrust(node)
}

/** Whether to stay with a node; when not, `openChain` gives a better one. Asks nobody and costs nothing. */
export function isNodeFit(node: RpcClient): boolean {
  return isFit(node)
}

/** How many nodes of a blockchain are switched on. */
export async function nodeCount(ctx: Context, blockchainId: number): Promise<number> {
  return (await listNodes(ctx, blockchainId)).filter((node) => node.isActive).length
}

/**
 * Whether nodes of at least two operators are switched on, well or not: then a deposit of weight waits for the word of a
 * second one, however long that one is away.
 */
export async function hasSecondSource(ctx: Context, blockchainId: number): Promise<boolean> {
  const nodes = (await listNodes(ctx, blockchainId)).filter((node) => node.isActive)
  return new Set(nodes.map(({ url }) => operatorOf(url))).size > 1
}

/**
 * Opens a blockchain through a node of another operator than the one, or those, that were asked before. Null when none is switched on or
 * none of them can be used now: ask `hasSecondSource` which of the two it is.
 */
export async function secondOpinion(
  ctx: Context,
  blockchainId: number,
  notNodeId: number | readonly number[],
  signal?: AbortSignal,
  use?: NodeUse,
): Promise<ChainSession | null> {
  const [row] = await listBlockchainRows(ctx, blockchainId)
  const asked = typeof notNodeId === 'number' ? [notNodeId] : notNodeId
  return connectToAnother(ctx, row ?? fail('BLOCKCHAIN_NOT_FOUND'), asked, { signal, use })
}

/** Points a sandbox blockchain at its local chain and makes it active. @throws BLOCKCHAIN_NOT_FOUND */
export async function setSandboxNode(ctx: Context, code: string, url: string): Promise<void> {
  if (ctx.config.network !== 'sandbox') throw new Error('Only the sandbox has local chains')
  const { id: blockchainId } = findDefinition(code) ?? fail('BLOCKCHAIN_NOT_FOUND')
  await inTransaction(ctx, async (tx) => {
    await replaceNodes(tx, { blockchainId, url })
    await activateBlockchain(tx, blockchainId, SWITCHED_OFF)
  })
}
