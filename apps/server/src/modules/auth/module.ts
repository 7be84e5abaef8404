import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { passwordRoutes } from '@kassa/contract/auth/password-routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { forgetOldJob } from './jobs.ts'
import { mailPasswordChangedJob, mailResetJob } from './passwords/service.ts'
import { prepareSetupCode } from './sign-in/service.ts'
import { authHandlers, passwordHandlers } from './routes.ts'

export const auth: Module = {
  name: 'auth',
  routes: [serve(authRoutes, authHandlers), serve(passwordRoutes, passwordHandlers)],
  jobs: [forgetOldJob, mailResetJob, mailPasswordChangedJob],
  prepare: prepareSetupCode,
}
