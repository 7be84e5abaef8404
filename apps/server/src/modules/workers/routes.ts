import type { workersRoutes } from '@kassa/contract/workers/routes.ts'

import type { Handlers } from '../../http/handlers.ts'
import { listWorkerNames, listWorkers, restartWorkers } from './service.ts'

export const workersHandlers: Handlers<typeof workersRoutes> = {
  listWorkers: async (ctx) => ({ status: await listWorkers(ctx) }),

  listWorkerNames: async (ctx) => ({ services: await listWorkerNames(ctx) }),

  restartWorker: async (ctx, { params }) => ({ message: await restartWorkers(ctx, params.name) }),

  restartWorkers: async (ctx, { body }) => ({ message: await restartWorkers(ctx, body.name) }),
}
