import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'

import { id, ts } from './kit/codecs.ts'
import { type Route, route } from './kit/route.ts'
import { openApi } from './openapi.ts'

const Payment = z.object({ id, createdAt: ts, amount: z.bigint() })
const WirePayment = z.object({ id, createdAt: ts })

const createPayment = route({
  id: 'Y1',
  methods: ['POST'],
  paths: ['/payment', '/external-platform/{p}/payment'],
  summary: 'Ask for money',
  access: { permission: 'payment:create', scope: 'payment:create' },
  rate: 'merchant-write',
  params: z.object({ p: id }),
  query: z.object({ dryRun: z.optional(z.boolean()) }),
  body: z.object({ note: z.optional(z.string()) }),
  response: WirePayment,
  status: 201,
  errors: ['PROJECT_NOT_READY', 'INVOICE_EXISTS', 'AMOUNT_OUT_OF_RANGE'],
})
const showHealth = route({
  id: 'M1',
  methods: ['GET'],
  paths: ['//health'],
  summary: 'Tell whether the server is well',
  access: { public: true },
  rate: 'system',
  response: z.object({ ok: z.boolean() }),
  errors: [],
})

type Document = {
  paths: Record<string, Record<string, Record<string, unknown>>>
  components: { schemas: Record<string, { properties: Record<string, unknown> }> }
}
function print(options: { subset?: 'merchant'; extra?: Route } = {}): Document {
  const groups = { payments: { createPayment }, system: { showHealth } }
  return openApi({ groups, shapes: { Payment: WirePayment }, version: '1.2.3', ...options }) as Document
}

describe('openApi', () => {
  it('prints each path and method with its own parameters', () => {
    const { paths } = print()
    expect(Object.keys(paths)).toEqual(['/api/v1/payment', '/api/v1/external-platform/{p}/payment', '/health'])
    expect(paths['/api/v1/payment']?.['post']).toMatchObject({
      operationId: 'createPayment',
      tags: ['payments'],
      parameters: [
        { name: 'dryRun', in: 'query' },
        { name: 'Idempotency-Key', in: 'header' },
      ],
    })
    expect(paths['/api/v1/external-platform/{p}/payment']?.['post']).toMatchObject({
      operationId: 'createPayment2',
      parameters: [{ name: 'p', in: 'path', required: true, schema: { type: 'integer' } }, {}, {}],
    })
  })

  it('groups the declared codes by status and refers to the common ones', () => {
    const responses = print().paths['/api/v1/payment']?.['post']?.['responses'] ?? {}
    expect(Object.keys(responses)).toEqual(['201', '400', '409', 'default'])
    expect(responses).toMatchObject({ '409': { 'x-kassa-codes': ['PROJECT_NOT_READY', 'INVOICE_EXISTS'] } })
  })

  it('names the scope and permission of a route, and none for a public one', () => {
    const { paths } = print()
    expect(paths['/api/v1/payment']?.['post']).toMatchObject({
      security: [{ key: ['payment:create'] }, { bearer: ['payment:create'] }],
      'x-kassa-access': 'operator with payment:create, or API key with payment:create',
    })
    expect(paths['/health']?.['get']).toMatchObject({ security: [{}] })
  })

  it('prints the wire side of codecs, once per named shape', () => {
    const { paths, components } = print()
    expect(components.schemas['Payment']?.properties).toEqual({
      id: { type: 'integer', exclusiveMinimum: 0 },
      createdAt: { type: 'string', format: 'date-time' },
    })
    expect(JSON.stringify(paths)).toContain('{"$ref":"#/components/schemas/Payment"}')
    expect(JSON.stringify(paths)).not.toContain('$defs')
  })

  it('keeps only the routes of API keys in the merchant subset', () => {
    expect(Object.keys(print({ subset: 'merchant' }).paths)).toEqual([
      '/api/v1/payment',
      '/api/v1/external-platform/{p}/payment',
    ])
  })

  it('survives a schema that JSON cannot express', () => {
    const unusual = { ...showHealth, response: Payment }
    expect(() => openApi({ groups: { unusual: { unusual } }, version: '1' })).not.toThrow()
  })
})
