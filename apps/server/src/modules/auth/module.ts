import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { accountRoutes } from '@kassa/contract/auth/account-routes.ts'
import { factorRoutes } from '@kassa/contract/auth/factor-routes.ts'
import { passwordRoutes } from '@kassa/contract/auth/password-routes.ts'

import { serve } from '../../http/handlers.ts'
import type { DescribeAction } from '../../http/step-up/step-up.ts'
import type { Module } from '../../module.ts'
import { mailFactorChangedJob } from './enrolment/service.ts'
import { forgetOldJob } from './jobs.ts'
import { mailEmailChangedJob, mailInvitationJob } from './members/service.ts'
import { mailPasswordChangedJob, mailResetJob } from './passwords/service.ts'
import { mailNewDeviceJob, prepareSetupCode } from './sign-in/service.ts'
import { accountHandlers, authHandlers, factorHandlers, passwordHandlers } from './routes.ts'

/** Makes the module; the module of a route describes what a confirmed action on it will do. */
export const auth = (describe: DescribeAction): Module => ({
  name: 'auth',
  routes: [
    serve(authRoutes, authHandlers(describe)),
    serve(passwordRoutes, passwordHandlers),
    serve(accountRoutes, accountHandlers),
    serve(factorRoutes, factorHandlers),
  ],
  jobs: [
    forgetOldJob,
    mailResetJob,
    mailPasswordChangedJob,
    mailInvitationJob,
    mailEmailChangedJob,
    mailFactorChangedJob,
    mailNewDeviceJob,
  ],
  prepare: prepareSetupCode,
})
