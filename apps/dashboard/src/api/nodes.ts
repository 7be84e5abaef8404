import { blockchainChangesRoutes } from '@kassa/contract/blockchains/change-routes.ts'
import { nodesRoutes } from '@kassa/contract/blockchains/node-routes.ts'
import type { Asset, Blockchain, ConnectionTest, Node } from '@kassa/contract/blockchains/schemas.ts'
import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { useQueryClient } from '@tanstack/react-query'

import { call } from './client.ts'
import { useIntent } from './intent.ts'

export type NodeRequest = NonNullable<RouteCall<typeof nodesRoutes.addNode>['body']>
export type NodePatch = NonNullable<RouteCall<typeof nodesRoutes.changeNode>['body']>
export type BlockchainPatch = NonNullable<RouteCall<typeof blockchainChangesRoutes.changeBlockchain>['body']>
export type AssetPatch = NonNullable<RouteCall<typeof blockchainChangesRoutes.changeAsset>['body']>

/** Returns the function that adds a node, which must first prove its network. @throws RequestError */
export function useAddNode(code: string): (node: NodeRequest) => Promise<Node> {
  const intent = useIntent()
  const refresh = useRefresh()
  return async (node) => {
    const added = await intent({ code, node }, (idempotencyKey) =>
      call(nodesRoutes.addNode, { params: { x: code }, body: node }, { idempotencyKey }),
    )
    refresh()
    return added
  }
}

/** Returns the function that changes a node: absent keeps, empty clears. @throws RequestError */
export function useChangeNode(code: string): (id: number, change: NodePatch) => Promise<Node> {
  const intent = useIntent()
  const refresh = useRefresh()
  return async (id, change) => {
    const changed = await intent({ code, id, change }, (idempotencyKey) =>
      call(nodesRoutes.changeNode, { params: { x: code, id }, body: change }, { idempotencyKey }),
    )
    refresh()
    return changed
  }
}

/** Returns the function that removes a node with its secrets. @throws RequestError */
export function useRemoveNode(code: string): (id: number) => Promise<void> {
  const intent = useIntent()
  const refresh = useRefresh()
  return async (id) => {
    await intent({ code, id }, (idempotencyKey) =>
      call(nodesRoutes.removeNode, { params: { x: code, id } }, { idempotencyKey }),
    )
    refresh()
  }
}

/** Returns the function that asks every node of a blockchain now how it is; each has five seconds. @throws RequestError */
export function useTestConnection(code: string): () => Promise<ConnectionTest> {
  const refresh = useRefresh()
  return async () => {
    const result = await call(nodesRoutes.testConnection, { params: { x: code } })
    refresh()
    return result
  }
}

/** Returns the function that changes a blockchain, or has its blocks read again. @throws RequestError */
export function useChangeBlockchain(code: string): (change: BlockchainPatch) => Promise<Blockchain> {
  const intent = useIntent()
  const refresh = useRefresh()
  return async (change) => {
    const changed = await intent({ code, change }, (idempotencyKey) =>
      call(blockchainChangesRoutes.changeBlockchain, { params: { x: code }, body: change }, { idempotencyKey }),
    )
    refresh()
    return changed
  }
}

/** Returns the function that changes the switches and limits of a currency on a blockchain. @throws RequestError */
export function useChangeAsset(): (asset: Asset, change: AssetPatch) => Promise<void> {
  const intent = useIntent()
  const refresh = useRefresh()
  return async ({ blockchainCode, currencyCode }, change) => {
    const params = { b: blockchainCode, c: currencyCode }
    await intent({ params, change }, (idempotencyKey) =>
      call(blockchainChangesRoutes.changeAsset, { params, body: change }, { idempotencyKey }),
    )
    refresh()
  }
}

/** Whether a project can take payments hangs on its networks. */
function useRefresh(): () => void {
  const queryClient = useQueryClient()
  return () => {
    for (const noun of ['blockchains', 'readiness', 'alarms', 'system']) {
      void queryClient.invalidateQueries({ queryKey: [noun] })
    }
  }
}
