import { mailRoutes } from '@kassa/contract/mail/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { mailHandlers } from './routes.ts'

export const mail: Module = {
  name: 'mail',
  routes: [serve(mailRoutes, mailHandlers)],
}
