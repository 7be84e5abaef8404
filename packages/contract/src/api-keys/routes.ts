import * as z from 'zod/mini'

import { id, Message } from '../kit/codecs.ts'
import { oneOf } from '../kit/fields.ts'
import { route } from '../kit/route.ts'
import { API_KEY_STATUSES, ApiKey, CreateApiKey, CreateKeyOfProject, NewApiKey } from './schemas.ts'

export const apiKeysRoutes = {
  listApiKeys: route({
    id: 'I1',
    methods: ['GET'],
    paths: ['/external-platform/{p}/api-key'],
    summary: 'List the API keys of a project, never their values',
    access: { permission: 'api_key:read' },
    rate: 'dashboard',
    params: z.object({ p: z.string() }),
    query: z.object({ status: z.optional(z.array(oneOf('Status', API_KEY_STATUSES))) }),
    response: z.array(ApiKey),
    errors: [],
  }),
  createApiKey: route({
    id: 'I2',
    methods: ['POST'],
    paths: ['/external-platform/{p}/api-key'],
    summary: 'Create an API key; its value is shown once',
    access: { permission: 'api_key:write', stepUp: 'S' },
    rate: 'dashboard',
    params: z.object({ p: z.string() }),
    body: CreateApiKey,
    response: NewApiKey,
    status: 201,
    errors: ['SCOPE_UNKNOWN', 'SCOPE_ABOVE_YOURS', 'API_KEY_LIMIT'],
    secrets: ['key'],
  }),
  revokeApiKey: route({
    id: 'I5',
    methods: ['DELETE'],
    paths: ['/external-platform/{p}/api-key/{id}'],
    summary: 'Revoke an API key for good, at once',
    access: { permission: 'api_key:write', stepUp: 'S' },
    rate: 'dashboard',
    params: z.object({ p: z.string(), id }),
    response: Message,
    errors: ['API_KEY_NOT_FOUND'],
  }),
  createKeyOfProject: route({
    id: 'I7',
    methods: ['POST'],
    paths: ['/api-key'],
    summary: 'Create an API key of the project in the body, for older installers; its value is shown once',
    access: { permission: 'api_key:write', stepUp: 'S' },
    rate: 'dashboard',
    body: CreateKeyOfProject,
    response: NewApiKey,
    status: 201,
    errors: ['SCOPE_UNKNOWN', 'SCOPE_ABOVE_YOURS', 'API_KEY_LIMIT'],
    secrets: ['key'],
    deprecated: true,
  }),
} as const
