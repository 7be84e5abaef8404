/** The OpenAPI 3.1 document, printed from the routes that the server mounts (api.md M4). */
import * as z from 'zod/mini'

import { COMMON_ERRORS, ERRORS, type ErrorCode } from './errors.ts'
import { type Access, type Method, permissionsOfAccess, type Route, type Routes } from './kit/route.ts'
import { ErrorBody, FlatErrorBody, jsonSchema } from './openapi-schemas.ts'

type Schema = z.ZodMiniType
type Json = { [key: string]: unknown }

/** What is printed: the routes by noun, and the shapes that get a name of their own instead of being repeated. */
export type Printed = {
  readonly groups: Readonly<Record<string, Routes>>
  readonly shapes?: Readonly<Record<string, Schema>>
  readonly version: string
  /** `merchant`: only the routes that a project API key may call. */
  readonly subset?: 'merchant'
}

const METHODS_WITH_EFFECT: ReadonlySet<Method> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Prints the contract as an OpenAPI 3.1 document, in the order of its nouns and routes. */
export function openApi({ groups, shapes = {}, version, subset }: Printed): Json {
  const names = z.registry<{ id: string }>()
  for (const [id, shape] of Object.entries(shapes)) names.add(shape, { id })
  const schemas: Json = { Error: jsonSchema(ErrorBody, names, {}), FlatError: jsonSchema(FlatErrorBody, names, {}) }
  const paths: { [path: string]: Json } = {}
  for (const [tag, routes] of Object.entries(groups)) {
    for (const [name, route] of Object.entries(routes)) {
      if (subset === 'merchant' && route.access.scope === undefined) continue
      const described = operation(route, (schema) => jsonSchema(schema, names, schemas))
      addEverywhere(paths, route, { tags: [tag], ...described }, name)
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Kassa', version, description: 'Self-hosted crypto payments.', license: { name: 'AGPL-3.0-only' } },
    tags: Object.keys(groups).map((name) => ({ name })),
    paths,
    components: {
      schemas: sorted(schemas),
      responses: { Refused: commonRefusals() },
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

/** One operation per path and method; the first keeps the route's name, the others are distinguished by a number. */
function addEverywhere(paths: { [path: string]: Json }, route: Route, operationOf: Json, name: string): void {
  const places = route.paths.flatMap((path) => route.methods.map((method) => ({ path, method })))
  places.forEach(({ path, method }, index) => {
    const key = path.startsWith('//') ? path.slice(1) : `/api/v1${path}`
    const operationId = index === 0 ? name : `${name}${index + 1}`
    paths[key] = {
      ...paths[key],
      [method.toLowerCase()]: { operationId, ...operationOf, parameters: parametersIn(key, operationOf) },
    }
  })
}

/** A route's alternative paths may have fewer parameters: each operation names those of its own path. */
function parametersIn(path: string, { parameters }: Json): unknown[] {
  const all = parameters as readonly { name: string; in: string }[]
  return all.filter((parameter) => parameter.in !== 'path' || path.includes(`{${parameter.name}}`))
}

function operation(route: Route, schemaOf: (schema: Schema) => Json): Json {
  const marks = {
    'x-kassa-id': route.id,
    'x-kassa-access': describeAccess(route.access),
    'x-kassa-rate': route.rate,
    ...(route.sandboxOnly ? { 'x-kassa-sandbox-only': true } : {}),
  }
  return {
    summary: route.summary,
    ...marks,
    ...(route.deprecated ? { deprecated: true } : {}),
    security: security(route.access),
    parameters: parameters(route, schemaOf),
    ...(route.body ? { requestBody: requestBody(route, schemaOf(route.body)) } : {}),
    responses: responses(route, schemaOf(route.response)),
  }
}

function parameters(route: Route, schemaOf: (schema: Schema) => Json): Json[] {
  const named = new Set(route.paths.flatMap((path) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)))
  const known = fieldsOf(route.params, schemaOf)
  const path = [...named].map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: known.properties[name] ?? { type: 'string' },
  }))
  const query = fieldsOf(route.query, schemaOf)
  const inQuery = Object.entries(query.properties).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(query.required.includes(name) ? { required: true } : {}),
    schema,
  }))
  return [...path, ...inQuery, ...headers(route)]
}

function headers({ methods, repeatable, keyless, access }: Route): Json[] {
  const text = { type: 'string' }
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { ...text, maxLength: 255 },
    description: 'Makes the call safe to repeat.',
  }
  const stepUp = { name: 'Step-Up', in: 'header', schema: text, description: 'The token of the confirmed action.' }
  const promoter = {
    ...{ name: 'Referral-Token', in: 'header', required: true, schema: text },
    description: 'The token of the link to the promoter’s page.',
  }
  return [
    ...(methods.some((method) => METHODS_WITH_EFFECT.has(method)) && !repeatable && !keyless ? [key] : []),
    ...(access.stepUp === 'M' ? [stepUp] : []),
    ...(access.referral ? [promoter] : []),
  ]
}

function fieldsOf(
  schema: Schema | undefined,
  schemaOf: (schema: Schema) => Json,
): { properties: Json; required: string[] } {
  if (schema === undefined) return { properties: {}, required: [] }
  const { properties, required } = schemaOf(schema)
  return { properties: (properties ?? {}) as Json, required: (required ?? []) as string[] }
}

function requestBody({ multipart }: Route, schema: Json): Json {
  const json = { 'application/json': { schema } }
  return { required: true, content: multipart ? { ...json, 'multipart/form-data': { schema } } : json }
}

function responses(route: Route, schema: Json): Json {
  const byStatus = Map.groupBy(route.errors, (code) => ERRORS[code].status)
  const body = route.flatErrors ? 'FlatError' : 'Error'
  const refusals = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => [String(status), refusal(codes, body)])
  return {
    [String(route.status ?? 200)]: { description: 'Done', content: contentOf(route, schema) },
    ...(Object.fromEntries(refusals) as Json),
    default: route.flatErrors ? commonRefusals(body) : { $ref: '#/components/responses/Refused' },
  }
}

function contentOf({ stream }: Route, schema: Json): Json {
  if (stream === 'events') return { 'text/event-stream': { schema } }
  if (stream === 'rows') return { 'text/csv': { schema: { type: 'string' } }, 'application/x-ndjson': { schema } }
  return { 'application/json': { schema } }
}

function refusal(codes: readonly ErrorCode[], body: 'Error' | 'FlatError'): Json {
  return {
    description: codes.map((code) => `\`${code}\` ${ERRORS[code].message}`).join('\n\n'),
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${body}` } } },
    'x-kassa-codes': codes,
  }
}

function commonRefusals(body: 'Error' | 'FlatError' = 'Error'): Json {
  return { ...refusal(COMMON_ERRORS, body), description: 'Codes that every route may answer with.' }
}

const SECURITY_SCHEMES = {
  key: {
    type: 'apiKey',
    in: 'header',
    name: 'API-Key',
    description: 'The session key of an operator, or the API key of a project.',
  },
  referral: {
    type: 'apiKey',
    in: 'header',
    name: 'Referral-Token',
    description: 'The token of the link to a promoter’s page.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same values as in API-Key.' },
}

function security({ public: open, reference, referral, operator, permission, scope }: Access): Json[] {
  if (referral) return [{ referral: [] }]
  const credential =
    operator || permission || scope ? [{ key: scope ? [scope] : [] }, { bearer: scope ? [scope] : [] }] : []
  return open || reference ? [{}, ...credential] : credential
}

function describeAccess(access: Access): string {
  const words = [
    access.public ? 'anyone' : null,
    access.reference ? 'anyone who knows the reference' : null,
    access.referral ? 'a promoter, by the token of their page' : null,
    access.operator ? 'any operator' : null,
    access.permission ? `operator with ${permissionsOfAccess(access).join(' or ')}` : null,
    access.scope ? `API key with ${access.scope}` : null,
  ]
  const who = words.filter((word) => word !== null).join(', or ')
  return access.stepUp ? `${who}; step-up ${access.stepUp}` : who
}

function sorted(object: Json): Json {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => a.localeCompare(b, 'en')))
}
