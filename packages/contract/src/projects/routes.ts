import * as z from 'zod/mini'

import { route } from '../kit/route.ts'
import { PaymentPolicy, PaymentPolicyChange } from './payment-policy.ts'
import { NewProject, Project, PROJECT_STATUSES, ProjectChange, ProjectDetail } from './schemas.ts'

const projectPath = z.object({ p: z.string() })

export const projectsRoutes = {
  listProjects: route({
    id: 'P1',
    methods: ['GET'],
    paths: ['/external-platform/all'],
    summary: 'List the projects the caller may see',
    access: { permission: 'project:read' },
    rate: 'dashboard',
    query: z.object({
      status: z.optional(z.enum(PROJECT_STATUSES, { error: 'Status must be one of: active, archived' })),
    }),
    response: z.array(Project),
    errors: [],
  }),
  listProjectDetails: route({
    id: 'P2',
    methods: ['GET'],
    paths: ['/external-platform/details'],
    summary: 'List how many networks and currencies each project accepts',
    access: { permission: 'project:read' },
    rate: 'dashboard',
    response: z.array(ProjectDetail),
    errors: [],
  }),
  createProject: route({
    id: 'P3',
    methods: ['POST'],
    paths: ['/external-platform'],
    summary: 'Add a project',
    access: { permission: 'project:create' },
    rate: 'dashboard',
    body: NewProject,
    response: Project,
    status: 201,
    errors: ['IMAGE_INVALID', 'WEBHOOK_URL_NOT_ALLOWED', 'ASSET_NOT_ACCEPTED'],
    multipart: true,
  }),
  getProject: route({
    id: 'P4',
    methods: ['GET'],
    paths: ['/external-platform/{p}'],
    summary: 'Read a project',
    access: { permission: 'project:read' },
    rate: 'dashboard',
    params: projectPath,
    response: Project,
    errors: [],
  }),
  changeProject: route({
    id: 'P5',
    methods: ['PUT', 'PATCH'],
    paths: ['/external-platform/{p}'],
    summary: 'Change a project: absent keeps, empty clears',
    access: { permission: 'project:update' },
    rate: 'dashboard',
    params: projectPath,
    body: ProjectChange,
    response: Project,
    errors: ['IMAGE_INVALID', 'WEBHOOK_URL_NOT_ALLOWED', 'WEBHOOK_LIMIT', 'ASSET_NOT_ACCEPTED', 'EDIT_CONFLICT'],
    multipart: true,
  }),
  getPaymentPolicy: route({
    id: 'P8',
    methods: ['GET'],
    paths: ['/external-platform/{p}/payment-policy'],
    summary: 'How a project wants its payments handled',
    access: { permission: 'project:read' },
    rate: 'dashboard',
    params: projectPath,
    response: PaymentPolicy,
    errors: [],
  }),
  changePaymentPolicy: route({
    id: 'P8',
    methods: ['PUT'],
    paths: ['/external-platform/{p}/payment-policy'],
    summary: 'Change how a project wants its payments handled: absent keeps',
    access: { permission: 'project:update' },
    rate: 'dashboard',
    params: projectPath,
    body: PaymentPolicyChange,
    response: PaymentPolicy,
    errors: [],
  }),
}
