import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import type { ApiKey, ApiKeyAction, ChangedApiKey, NewApiKey } from '@kassa/contract/api-keys/schemas.ts'
import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { useQueryClient } from '@tanstack/react-query'

import { call } from './client.ts'
import { useIntent } from './intent.ts'

/** What an operator asks for when making a key. */
export type ApiKeyRequest = NonNullable<RouteCall<typeof apiKeysRoutes.createApiKey>['body']>

/** What of a key an operator changes. */
export type ApiKeyChange = NonNullable<RouteCall<typeof apiKeysRoutes.changeApiKey>['body']>

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

/** Returns the function that changes what a key may do. @throws RequestError */
export function useChangeApiKey(): (key: ApiKey, change: ApiKeyChange) => Promise<ApiKey> {
  const intent = useIntent()
  const queryClient = useQueryClient()
  return async ({ id, externalPlatformID }, body) => {
    const params = { p: String(externalPlatformID), id }
    try {
      return await intent({ params, body }, (idempotencyKey) =>
        call(apiKeysRoutes.changeApiKey, { params, body }, { idempotencyKey }),
      )
    } finally {
      void queryClient.invalidateQueries({ queryKey: ['api-keys'] })
    }
  }
}

/** Returns the function that turns a key off or on, or gives it a new value, which its answer alone carries. @throws RequestError */
export function useActOnApiKey(): (
  key: ApiKey,
  x: Extract<ApiKeyAction, 'activate' | 'deactivate' | 'rotate'>,
  overlapHours?: number,
) => Promise<ChangedApiKey> {
  const intent = useIntent()
  const queryClient = useQueryClient()
  return async ({ id, externalPlatformID }, x, overlapHours) => {
    const params = { p: String(externalPlatformID), id, x }
    const body = overlapHours === undefined ? {} : { overlapHours }
    try {
      return await intent({ params, body }, (idempotencyKey) =>
        call(apiKeysRoutes.actOnApiKey, { params, body }, { idempotencyKey }),
      )
    } finally {
      void queryClient.invalidateQueries({ queryKey: ['api-keys'] })
    }
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
