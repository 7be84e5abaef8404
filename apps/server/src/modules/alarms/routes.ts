import type { alarmsRoutes } from '@kassa/contract/alarms/routes.ts'

import type { Handlers } from '../../http/handlers.ts'
import { openAlarms } from './service.ts'

export const alarmsHandlers: Handlers<typeof alarmsRoutes> = {
  listAlarms: (ctx) => openAlarms(ctx),
}
