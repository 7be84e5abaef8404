import { ApiError } from '@kassa/contract/kit/api-error.ts'

/** What a refusal of a list is about: `name` for people, `data` for programs. */
export type Subject = {
  readonly name: string
  readonly data: Readonly<Record<string, unknown>>
  /** Where its fields are in the body of the call. */
  readonly path?: string
}

/** Says in a refusal which part of a list it is about. @throws what the work throws */
export async function namingInRefusal<T>({ name, data, path }: Subject, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, message, fields, retryAfter, values } = error
    const placed = path === undefined ? fields : placedIn(path, fields)
    throw new ApiError(code, {
      ...{ message, values, details: `${name}: ${error.details}`, data: { ...error.data, ...data }, cause: error },
      ...(placed && { fields: placed }),
      ...(retryAfter !== undefined && { retryAfter }),
    })
  }
}

function placedIn(path: string, fields: ApiError['fields']): ApiError['fields'] {
  return fields && Object.fromEntries(Object.entries(fields).map(([name, message]) => [`${path}.${name}`, message]))
}
