import type { backupsRoutes } from '@kassa/contract/backups/routes.ts'

import type { Handlers } from '../../http/handlers.ts'
import { readBackupState } from './service.ts'

export const backupsHandlers: Handlers<typeof backupsRoutes> = {
  getBackupState: (ctx) => readBackupState(ctx),
}
