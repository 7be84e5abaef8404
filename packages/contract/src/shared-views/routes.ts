import * as z from 'zod/mini'

import { Message } from '../kit/codecs.ts'
import { route } from '../kit/route.ts'
import { ChangeSharedView, NewSharedView, SharedView } from './schemas.ts'

const project = z.object({ p: z.string() })
const one = z.object({ p: z.string(), id: z.string() })

/** A view shows nothing that its reader may not read, so whoever reads the list may use and share views of it. */
const READ = { permission: 'payment:read' } as const

export const sharedViewsRoutes = {
  listSharedViews: route({
    id: 'F3',
    methods: ['GET'],
    paths: ['/project/{p}/shared-view'],
    summary: 'The views of lists that are shared in a project, by name.',
    access: READ,
    rate: 'dashboard',
    params: project,
    response: z.array(SharedView),
    errors: [],
  }),

  shareView: route({
    id: 'F4',
    methods: ['POST'],
    paths: ['/project/{p}/shared-view'],
    summary: 'Shares a view of a list in a project.',
    access: READ,
    rate: 'dashboard',
    params: project,
    body: NewSharedView,
    response: SharedView,
    status: 201,
    errors: ['SHARED_VIEW_EXISTS', 'SHARED_VIEW_LIMIT'],
  }),

  changeSharedView: route({
    id: 'F5',
    methods: ['PATCH', 'PUT'],
    paths: ['/project/{p}/shared-view/{id}'],
    summary: 'Changes a shared view: whoever shared it, and who may change the project.',
    access: READ,
    rate: 'dashboard',
    params: one,
    body: ChangeSharedView,
    response: SharedView,
    errors: ['SHARED_VIEW_NOT_FOUND', 'SHARED_VIEW_EXISTS'],
  }),

  deleteSharedView: route({
    id: 'F6',
    methods: ['DELETE'],
    paths: ['/project/{p}/shared-view/{id}'],
    summary: 'Deletes a shared view: whoever shared it, and who may change the project.',
    access: READ,
    rate: 'dashboard',
    params: one,
    response: Message,
    errors: ['SHARED_VIEW_NOT_FOUND'],
  }),
}
