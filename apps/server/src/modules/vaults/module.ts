import { vaultsRoutes } from '@kassa/contract/vaults/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { watchSecretsJob } from './check-secrets.ts'
import { updateProvider } from './keys/store.ts'
import { continueRotationsJob } from './rotate.ts'
import { vaultsHandlers } from './routes.ts'

export const vaults: Module = {
  name: 'vaults',
  routes: [serve(vaultsRoutes, vaultsHandlers)],
  jobs: [continueRotationsJob, watchSecretsJob],
  prepare: (ctx) => updateProvider(ctx, ctx.config.masterKeySource),
}
