import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { acceptedAssetsRoutes } from '@kassa/contract/blockchains/accepted-assets-routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { projectsHandlers, acceptedAssetsHandlers } from './routes.ts'

export const projects: Module = {
  name: 'projects',
  routes: [serve(projectsRoutes, projectsHandlers), serve(acceptedAssetsRoutes, acceptedAssetsHandlers)],
}
