import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import type { ApiKey, NewApiKey } from '@kassa/contract/api-keys/schemas.ts'
import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { useQueryClient } from '@tanstack/react-query'

import { call } from './client.ts'
import { useIntent } from './intent.ts'

/** What an operator asks for when making a key. */
export type ApiKeyRequest = NonNullable<RouteCall<typeof apiKeysRoutes.createApiKey>['body']>

/** Reads what `apiKeysQuery` of the lazy lists holds. @throws RequestError */
export function readApiKeys(projectId: string, signal: AbortSignal): Promise<readonly ApiKey[]> {
  return call(apiKeysRoutes.listApiKeys, { params: { p: projectId } }, { signal })
}

/** Returns the function that makes a key; its answer alone carries the key's value. @throws RequestError */
export function useCreateApiKey(): (projectId: string, key: ApiKeyRequest) => Promise<NewApiKey> {
  const intent = useIntent()
  const queryClient = useQueryClient()
  return async (projectId, key) => {
    const created = await intent({ projectId, key }, (idempotencyKey) =>
      call(apiKeysRoutes.createApiKey, { params: { p: projectId }, body: key }, { idempotencyKey }),
    )
    void queryClient.invalidateQueries({ queryKey: ['api-keys'] })
    return created
  }
}

/** Returns the function that revokes a key for good. @throws RequestError */
export function useRevokeApiKey(): (key: ApiKey) => Promise<void> {
  const intent = useIntent()
  const queryClient = useQueryClient()
  return async ({ id, externalPlatformID }) => {
    const params = { p: String(externalPlatformID), id }
    try {
      await intent(params, (idempotencyKey) => call(apiKeysRoutes.revokeApiKey, { params }, { idempotencyKey }))
    } finally {
      // A refusal means that the screen was out of date.
      void queryClient.invalidateQueries({ queryKey: ['api-keys'] })
    }
  }
}
