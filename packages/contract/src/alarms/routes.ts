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
}
