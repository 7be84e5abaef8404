import { devicesRoutes } from '@kassa/contract/devices/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { devicesHandlers } from './routes.ts'
import { mailDeviceJob } from './service.ts'

export const devices: Module = {
  name: 'devices',
  routes: [serve(devicesRoutes, devicesHandlers)],
  jobs: [mailDeviceJob],
}
