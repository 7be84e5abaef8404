import { fail } from '@kassa/contract/kit/api-error.ts'
import type { devicesRoutes } from '@kassa/contract/devices/routes.ts'

import type { Handlers } from '../../http/handlers.ts'
import { listProjects } from '../projects/service.ts'
import { linkOrigins, setting } from '../settings/service.ts'
import { listDevices, pairDevice, pairingCode, unpairDevice } from './service.ts'
import { deviceView, systemDetailsView } from './view.ts'

export const devicesHandlers: Handlers<typeof devicesRoutes> = {
  getSystemDetails: async (ctx) => {
    const server = await setting(ctx, 'payram.server.url')
    return systemDetailsView(ctx.config, {
      ...(await linkOrigins(ctx)),
      server,
      code: (await pairingCode(ctx))?.code ?? null,
    })
  },
  openPairing: async (ctx) =>
    (await pairingCode(ctx)) ??
    fail('FORBIDDEN', { values: { permission: 'system:operate', project: 'this install' } }),
  pairDevice: async (ctx, { body }) => {
    const key = await pairDevice(ctx, body)
    return { key, projects: (await listProjects(ctx, 'every')).map(({ id, name }) => ({ id, name })) }
  },
  listDevices: async (ctx) => ({ devices: (await listDevices(ctx)).map(deviceView) }),
  unpairDevice: async (ctx, { params }) => ({ message: `${await unpairDevice(ctx, params.id)} was unpaired.` }),
}
