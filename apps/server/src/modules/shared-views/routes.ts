import { fail } from '@kassa/contract/kit/api-error.ts'
import type { sharedViewsRoutes } from '@kassa/contract/shared-views/routes.ts'

import type { ProjectScope } from '../../context.ts'
import type { Handlers } from '../../http/handlers.ts'
import { changeSharedView, deleteSharedView, sharedViews, shareView } from './service.ts'

export const sharedViewsHandlers: Handlers<typeof sharedViewsRoutes> = {
  listSharedViews: (ctx, { scope }) => sharedViews(ctx, scope),
  shareView: (ctx, { scope, body }) => shareView(ctx, oneProject(scope), body),
  changeSharedView: (ctx, { scope, params, body }) => changeSharedView(ctx, oneProject(scope), params.id, body),
  deleteSharedView: async (ctx, { scope, params }) => {
    await deleteSharedView(ctx, oneProject(scope), params.id)
    return { message: 'Shared view deleted.' }
  },
}

function oneProject({ projectId }: ProjectScope): number {
  return projectId ?? fail('PROJECT_REQUIRED')
}
