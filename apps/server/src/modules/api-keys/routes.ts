import type { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { type Handlers, reply } from '../../http/handlers.ts'
import type { Context, ProjectScope } from '../../context.ts'
import { getProject } from '../projects/service.ts'
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

  createKeyOfProject: async (ctx, { scope, body }) => {
    const projectId = await writableProject(ctx, scope, body.externalPlatformID)
    const { row, key } = await createApiKey(ctx, { projectId, roleName: body.roleName })
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

/** A project named in the body takes the same rules as one in the path. @throws PROJECT_NOT_FOUND, PROJECT_ARCHIVED */
async function writableProject(ctx: Context, { projectIds }: ProjectScope, projectId: number): Promise<number> {
  if (projectIds !== 'every' && !projectIds.includes(projectId)) return fail('PROJECT_NOT_FOUND')
  const { status } = await getProject(ctx, projectId)
  return status === 'archived' ? fail('PROJECT_ARCHIVED') : projectId
}
