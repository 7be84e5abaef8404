import * as z from 'zod/mini'

import { page, pageInput } from '../kit/paging.ts'
import { route } from '../kit/route.ts'
import { Delivery, DELIVERY_STATUSES, DeliveryDetail, NewWebhook, TestResult, Webhook } from './schemas.ts'

const projectPath = z.object({ p: z.string() })
const webhookPath = z.object({ p: z.string(), id: z.int() })

const deliveryFilters = z.object({
  ...pageInput,
  status: z.optional(z.array(z.enum(DELIVERY_STATUSES, { error: 'Unknown status' }))),
  event: z.optional(z.array(z.string())),
  referenceID: z.optional(z.string()),
  dateFrom: z.optional(z.string()),
  dateTo: z.optional(z.string()),
})

export const webhooksRoutes = {
  listWebhooks: route({
    id: 'H1',
    methods: ['GET'],
    paths: ['/external-platform/{p}/webhook'],
    summary: 'List webhook endpoints; secrets are masked',
    access: { permission: 'webhook:read' },
    rate: 'dashboard',
    params: projectPath,
    response: z.array(Webhook),
    errors: [],
  }),
  createWebhook: route({
    id: 'H2',
    methods: ['POST'],
    paths: ['/external-platform/{p}/webhook'],
    summary: 'Add a webhook endpoint; secret and access key are shown once',
    access: { permission: 'webhook:write', stepUp: 'S' },
    rate: 'dashboard',
    params: projectPath,
    body: NewWebhook,
    response: Webhook,
    status: 201,
    errors: ['WEBHOOK_URL_NOT_ALLOWED', 'WEBHOOK_LIMIT', 'WEBHOOK_EXISTS', 'EVENT_UNKNOWN', 'ACCESS_KEY_TOO_POWERFUL'],
    secrets: ['secret', 'access_key'],
  }),
  testWebhook: route({
    id: 'H6',
    methods: ['POST', 'GET'],
    paths: ['/external-platform/{p}/webhook/{id}/test'],
    summary: 'Send a signed ping to an endpoint; changes nothing',
    access: { permission: 'webhook:resend' },
    rate: 'egress',
    params: webhookPath,
    body: z.object({ event: z.optional(z.string()) }),
    response: TestResult,
    errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_URL_NOT_ALLOWED', 'EVENT_UNKNOWN'],
    repeatable: true,
  }),
  listDeliveriesOfWebhook: route({
    id: 'H8',
    methods: ['GET'],
    paths: ['/external-platform/{p}/webhook/{id}/deliveries'],
    summary: 'List the deliveries to one endpoint, newest first',
    access: { permission: 'webhook:read', scope: 'webhook:read' },
    rate: 'dashboard',
    params: webhookPath,
    query: deliveryFilters,
    response: page(Delivery),
    errors: ['WEBHOOK_NOT_FOUND'],
  }),
  listDeliveries: route({
    id: 'H8p',
    methods: ['GET'],
    paths: ['/external-platform/{p}/webhook-deliveries'],
    summary: "List the deliveries to a project's endpoints, newest first",
    access: { permission: 'webhook:read', scope: 'webhook:read' },
    rate: 'dashboard',
    params: projectPath,
    query: deliveryFilters,
    response: page(Delivery),
    errors: [],
  }),
  getDelivery: route({
    id: 'H9',
    methods: ['GET'],
    paths: ['/external-platform/{p}/webhook/{id}/deliveries/{deliveryId}'],
    summary: 'Read a delivery with its attempts and what was sent',
    access: { permission: 'webhook:read', scope: 'webhook:read' },
    rate: 'dashboard',
    params: z.object({ p: z.string(), id: z.int(), deliveryId: z.string() }),
    response: DeliveryDetail,
    errors: ['WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND'],
  }),
}
