import type { alarmsRoutes } from '@kassa/contract/alarms/routes.ts'

import type { Handlers } from '../../http/handlers.ts'
import { clearByPerson, openAlarms } from './service.ts'

export const alarmsHandlers: Handlers<typeof alarmsRoutes> = {
  listAlarms: (ctx) => openAlarms(ctx),

  clearAlarm: async (ctx, { params }) => {
    await clearByPerson(ctx, params.id)
    return openAlarms(ctx)
  },
}
