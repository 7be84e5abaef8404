import { safeParse } from 'zod/mini'
import type { ZodMiniType } from 'zod/mini'

/** Returns the first text of every field a schema refuses; an empty object when it accepts the values. */
export function fieldErrors(schema: ZodMiniType, values: unknown): Record<string, string> {
  const result = safeParse(schema, values)
  if (result.success) return {}
  const errors: Record<string, string> = {}
  for (const issue of result.error.issues) {
    const name = String(issue.path[0] ?? '')
    errors[name] ??= issue.message
  }
  return errors
}
