/** JSON Schema of the wire side of the contract's schemas, for openapi.ts. */
import * as z from 'zod/mini'

import { ERRORS, type ErrorCode } from './errors.ts'

type Json = { [key: string]: unknown }
type Names = z.core.$ZodRegistry<{ id: string }>

/** Describes the wire side of a schema; the shapes it names go to `schemas`. */
export function jsonSchema(schema: z.ZodMiniType, names: Names, schemas: Json): Json {
  const {
    $schema: _,
    $defs = {},
    ...described
  } = z.toJSONSchema(schema, {
    io: 'input',
    metadata: names,
    unrepresentable: 'any',
    override: ({ jsonSchema: printed }) => {
      // The format says it; the pattern of a date and the bounds of a safe integer only make the page longer.
      if (printed.format === 'date-time') delete printed.pattern
      if (printed.minimum === Number.MIN_SAFE_INTEGER) delete printed.minimum
      if (printed.maximum === Number.MAX_SAFE_INTEGER) delete printed.maximum
    },
  }) as Json & { $defs?: Json }
  for (const [name, shape] of Object.entries($defs)) schemas[name] = atComponents(shape)
  return atComponents(described) as Json
}

/** Moves references from a schema's own definitions to the document's components. */
function atComponents(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as unknown
}

const code = z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]])
const parts = {
  message: z.string(),
  details: z.string(),
  fields: z.optional(z.record(z.string(), z.string())),
  data: z.optional(z.record(z.string(), z.unknown())),
  requestId: z.string(),
}

/** The body of every refusal (api.md 1.3) but those of R1 to R4. */
export const ErrorBody = z.object({ error: z.object({ code, ...parts }), message: z.string() })

/** The same one level up: published clients read `error` there as a text. */
export const FlatErrorBody = z.object({ error: code, ...parts })
