import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { mailApiKeyJob } from './emails.ts'
import { apiKeysHandlers } from './routes.ts'

export const apiKeys: Module = {
  name: 'api-keys',
  routes: [serve(apiKeysRoutes, apiKeysHandlers)],
  jobs: [mailApiKeyJob],
}
