import type { Asset } from '@kassa/contract/blockchains/schemas.ts'
import type { blockchainChangesRoutes } from '@kassa/contract/blockchains/change-routes.ts'
import type { nodesRoutes } from '@kassa/contract/blockchains/node-routes.ts'
import type { blockchainsRoutes } from '@kassa/contract/blockchains/routes.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { findBlockchain as findDefinition } from '@kassa/primitives/chains/blockchains.ts'
import { FAMILIES, findFamily } from '@kassa/primitives/chains/families.ts'
import { type Handlers, prepared } from '../../http/handlers.ts'
import type { Context } from '../../context.ts'
import { addNode, changeNode, removeNode, testConnection, tryChange, tryNode } from './nodes/manage-nodes.ts'
import type { BlockchainRow } from './chains/rows.ts'
import { changeAsset } from './assets/change-asset.ts'
import { changeBlockchain, tryServer } from './change-blockchain.ts'
import { findAsset, findBlockchain, listAssets, listBlockchains } from './chains/service.ts'
import { nodesOf } from './nodes/service.ts'
import {
  assetView,
  blockchainView,
  blockchainWithNodesView,
  clientOf,
  currencyViews,
  factsView,
  nodeView,
  publicAssetView,
} from './view.ts'

export const blockchainsHandlers: Handlers<typeof blockchainsRoutes> = {
  async listBlockchains(ctx, { query }) {
    const [rows, nodes] = [await listBlockchains(ctx), await nodesOf(ctx)]
    return rows
      .filter((row) => query.status === undefined || row.status === query.status)
      .map((row) => blockchainWithNodesView(row, nodes, ctx.config.network))
  },

  async getBlockchain(ctx, { params }) {
    const family = findFamily(params.x.includes('_') ? params.x : '')
    const wantsFacts = ['all', 'static'].includes(params.x.toLowerCase())
    if (family || wantsFacts) {
      const rows = await listBlockchains(ctx)
      return rows
        .filter((row) => wantsFacts || row.definition.family === family?.family)
        .map((row) => factsView(row, ctx.config.network))
    }
    const row = await getBlockchain(ctx, params.x)
    return blockchainWithNodesView(row, await nodesOf(ctx, row.id), ctx.config.network)
  },

  async listFamilies() {
    return FAMILIES.map(({ id, family }) => ({ id, family }))
  },

  async listAssets(ctx, { query }) {
    const code = query.blockchainCode === undefined ? undefined : (findDefinition(query.blockchainCode)?.code ?? '')
    return (await assetViews(ctx)).filter(
      (asset) =>
        (code === undefined || asset.blockchainCode === code) &&
        (query.visible === undefined || asset.visible === query.visible),
    )
  },

  async getAsset(ctx, { params }) {
    return assetViewOf(ctx, params)
  },

  async listCurrencies(ctx) {
    return currencyViews(await listAssets(ctx))
  },

  async listPublicAssets(ctx) {
    const rows = new Map((await listBlockchains(ctx)).map((row) => [row.id, row]))
    return (await listAssets(ctx)).flatMap((asset) => {
      const row = rows.get(asset.blockchainId)
      return row && asset.visible ? [publicAssetView(asset, row)] : []
    })
  },
}

export const blockchainChangesHandlers: Handlers<typeof blockchainChangesRoutes> = {
  changeBlockchain: prepared({
    prepare: async (ctx, { params, body }) => tryServer(ctx, await getBlockchain(ctx, params.x), body),
    async perform(ctx, { params, body }, server) {
      await changeBlockchain(ctx, await getBlockchain(ctx, params.x), body, server)
      const row = await getBlockchain(ctx, params.x)
      return blockchainWithNodesView(row, await nodesOf(ctx, row.id), ctx.config.network)
    },
  }),

  async changeAsset(ctx, { params, body }) {
    await changeAsset(ctx, await findAsset(ctx, params.b, params.c), body)
    return assetViewOf(ctx, params)
  },
}

export const nodesHandlers: Handlers<typeof nodesRoutes> = {
  testConnection: async (ctx, { params }) => testConnection(ctx, await getBlockchain(ctx, params.x)),

  async listNodes(ctx, { params }) {
    const { id } = await getBlockchain(ctx, params.x)
    return (await nodesOf(ctx, id)).map(nodeView)
  },

  addNode: prepared({
    prepare: async (ctx, { params, body }) => tryNode(ctx, await getBlockchain(ctx, params.x), body),
    perform: async (ctx, { params, body }, tried) =>
      nodeView(await addNode(ctx, await getBlockchain(ctx, params.x), body, tried)),
  }),

  changeNode: prepared({
    prepare: async (ctx, { params, body }) => tryChange(ctx, await getBlockchain(ctx, params.x), params.id, body),
    perform: async (ctx, { params, body: change }, tried) =>
      nodeView(await changeNode(ctx, await getBlockchain(ctx, params.x), params.id, { change, tried })),
  }),

  async removeNode(ctx, { params }) {
    await removeNode(ctx, await getBlockchain(ctx, params.x), params.id)
    return { message: 'The node was removed.' }
  },
}

/** @throws BLOCKCHAIN_NOT_FOUND */
async function getBlockchain(ctx: Context, x: string): Promise<BlockchainRow> {
  return (await findBlockchain(ctx, x)) ?? fail('BLOCKCHAIN_NOT_FOUND')
}

/** Every asset as operators see it, by id. */
async function assetViews(ctx: Context): Promise<Asset[]> {
  const [assets, rows, nodes] = [await listAssets(ctx), await listBlockchains(ctx), await nodesOf(ctx)]
  const currencies = new Map(currencyViews(assets).map((currency) => [currency.id, currency]))
  const blockchains = new Map(
    rows.map((row) => {
      const own = nodes.filter((node) => node.blockchainId === row.id)
      return [row.id, blockchainView(row, clientOf(own), ctx.config.network)]
    }),
  )
  return assets.flatMap((asset) => {
    const [currency, blockchain] = [currencies.get(asset.currencyId), blockchains.get(asset.blockchainId)]
    return currency && blockchain ? [assetView(asset, currency, blockchain)] : []
  })
}

/** One asset by blockchain and currency, each by code, alias or id. @throws ASSET_NOT_FOUND */
async function assetViewOf(ctx: Context, { b, c }: { b: string; c: string }): Promise<Asset> {
  const { id } = await findAsset(ctx, b, c)
  return (await assetViews(ctx)).find((asset) => asset.id === id) ?? fail('ASSET_NOT_FOUND')
}
