import { Message } from '../kit/codecs.ts'
import { route } from '../kit/route.ts'
import { WorkerName, WorkerNames, WorkerRestart, WorkerStatus } from './schemas.ts'

export const workersRoutes = {
  listWorkers: route({
    id: 'C10',
    methods: ['GET'],
    paths: ['/system/workers/status'],
    summary: 'Show the state of all background workers, in all processes together',
    access: { permission: 'system:read' },
    rate: 'dashboard',
    response: WorkerStatus,
    errors: [],
  }),
  listWorkerNames: route({
    id: 'C10',
    methods: ['GET'],
    paths: ['/system/workers'],
    summary: 'List the names of all background workers',
    access: { permission: 'system:read' },
    rate: 'dashboard',
    response: WorkerNames,
    errors: [],
  }),
  restartWorker: route({
    id: 'C11',
    methods: ['POST'],
    paths: ['/system/workers/{name}/restart'],
    summary: 'Let a worker end its run and start again, in every process that runs it',
    access: { permission: 'system:operate' },
    rate: 'dashboard',
    params: WorkerName,
    response: Message,
    errors: ['WORKER_UNKNOWN'],
  }),
  restartWorkers: route({
    id: 'C11',
    methods: ['POST'],
    paths: ['/system/workers/restart'],
    summary: 'The same for the worker that is named, or for all',
    access: { permission: 'system:operate' },
    rate: 'dashboard',
    body: WorkerRestart,
    response: Message,
    errors: ['WORKER_UNKNOWN'],
  }),
} as const
