import * as z from 'zod/mini'

import { route } from '../kit/route.ts'
import { Alarm } from './schemas.ts'

export const alarmsRoutes = {
  listAlarms: route({
    id: 'M7',
    methods: ['GET'],
    paths: ['/system/alarms'],
    summary: 'What needs a person now, oldest first.',
    access: { permission: 'system:read' },
    rate: 'dashboard',
    response: z.array(Alarm),
    errors: [],
  }),

  clearAlarm: route({
    id: 'M8',
    methods: ['POST'],
    paths: ['/system/alarms/{id}/clear'],
    summary: 'Closes an alarm that a person has seen to; one that ends by itself is refused with how it ends.',
    access: { permission: 'system:operate' },
    rate: 'dashboard',
    params: z.object({ id: z.int() }),
    response: z.array(Alarm),
    errors: ['ALARM_NOT_FOUND', 'ALARM_ENDS_BY_ITSELF'],
  }),
}
