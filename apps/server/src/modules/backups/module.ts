import { backupsRoutes } from '@kassa/contract/backups/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { backupsHandlers } from './routes.ts'

export const backups: Module = { name: 'backups', routes: [serve(backupsRoutes, backupsHandlers)] }
