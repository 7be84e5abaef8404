import type { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { API_KEY_ACTIONS } from '@kassa/contract/api-keys/schemas.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { type Handlers, reply } from '../../http/handlers.ts'
import type { Context, ProjectScope } from '../../context.ts'
import { getProject } from '../projects/service.ts'
import { readAction } from './rules.ts'
import { changeApiKey, createApiKey, getApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './service.ts'
import { apiKeyView, newApiKeyView } from './view.ts'

const ACTIONS_DETAILS = `Use one of: ${API_KEY_ACTIONS.join(', ')}.`

export const apiKeysHandlers: Handlers<typeof apiKeysRoutes> = {
  listApiKeys: async (ctx, { scope, query }) => {
    const rows = await listApiKeys(ctx, { projectIds: scope.projectIds, status: query.status })
    return reply(
      rows.map((row) => apiKeyView(row, ctx.now())),
      { headers: { 'x-total-count': String(rows.length) } },
    )
  },

  createApiKey: async (ctx, { scope, body }) => {
    const { row, key } = await createApiKey(ctx, { ...body, projectId: oneProject(scope) })
    return newApiKeyView(row, key, ctx.now())
  },

  createKeyOfProject: async (ctx, { scope, body }) => {
    const projectId = await writableProject(ctx, scope, body.externalPlatformID)
    const { row, key } = await createApiKey(ctx, { projectId, roleName: body.roleName })
    return newApiKeyView(row, key, ctx.now())
  },

  getApiKey: async (ctx, { scope, params }) => {
    return apiKeyView(await getApiKey(ctx, { id: params.id, projectIds: scope.projectIds }), ctx.now())
  },

  changeApiKey: async (ctx, { scope, params, body }) => {
    const row = await changeApiKey(ctx, { id: params.id, projectId: oneProject(scope) }, body)
    return apiKeyView(row, ctx.now())
  },

  actOnApiKey: async (ctx, { scope, params, body }) => {
    const action = readAction(params.x) ?? fail('API_KEY_ACTION_UNKNOWN', { details: ACTIONS_DETAILS })
    const target = { id: params.id, projectId: oneProject(scope) }
    if (action !== 'rotate') return apiKeyView(await changeApiKey(ctx, target, { status: action }), ctx.now())
    const { row, key } = await rotateApiKey(ctx, target, body.overlapHours)
    return reply(newApiKeyView(row, key, ctx.now()), { status: 201 })
  },

  revokeApiKey: async (ctx, { scope, params }) => {
    await revokeApiKey(ctx, { id: params.id, projectId: oneProject(scope) })
    return { message: 'API key revoked.' }
  },
}

function oneProject({ projectId }: ProjectScope): number {
  return projectId ?? fail('PROJECT_REQUIRED')
}

/** A project named in the body is checked by the same rules as one in the path. @throws PROJECT_NOT_FOUND, PROJECT_ARCHIVED */
async function writableProject(ctx: Context, { projectIds }: ProjectScope, projectId: number): Promise<number> {
  if (projectIds !== 'every' && !projectIds.includes(projectId)) return fail('PROJECT_NOT_FOUND')
  const { status } = await getProject(ctx, projectId)
  return status === 'archived' ? fail('PROJECT_ARCHIVED') : projectId
}
