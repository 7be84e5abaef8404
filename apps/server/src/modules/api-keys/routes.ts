import type { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { fail } from '@kassa/contract/kit/refusal.ts'
import { type Handlers, reply } from '../../http/handlers.ts'
import type { ProjectScope } from '../../context.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './service.ts'
import { apiKeyView, newApiKeyView } from './view.ts'

export const apiKeysHandlers: Handlers<typeof apiKeysRoutes> = {
  listApiKeys: async (ctx, { scope, query }) => {
    const rows = await listApiKeys(ctx, { projectIds: scope.projectIds, status: query.status })
    return reply(rows.map(apiKeyView), { headers: { 'x-total-count': String(rows.length) } })
  },

  createApiKey: async (ctx, { scope, body }) => {
    const { row, key } = await createApiKey(ctx, { ...body, projectId: oneProject(scope) })
    return newApiKeyView(row, key)
  },

  revokeApiKey: async (ctx, { scope, params }) => {
    await revokeApiKey(ctx, { id: params.id, projectId: oneProject(scope) })
    return { message: 'API key revoked.' }
  },
}

function oneProject({ projectId }: ProjectScope): number {
  return projectId ?? fail('PROJECT_REQUIRED')
}
