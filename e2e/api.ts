/** Calls the running program over HTTP as the contract says, with what goes over the wire as it is. */
import type { Route, RouteCall } from '@kassa/contract/kit/route.ts'

/** The wire side of a route's answer. */
export type Wire<R extends Route> = R['response']['_zod']['input']

export type Api = <R extends Route>(route: R, input?: RouteCall<R>) => Promise<Wire<R>>

/** A call that was answered with no. */
export class Refused extends Error {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** Calls with a session or API key, or without one. @throws Refused with the answer when the call is refused */
export function apiOf(url: string, key?: string, headers: Readonly<Record<string, string>> = {}): Api {
  return async <R extends Route>(route: R, input: RouteCall<R> = {}) => {
    const [method] = route.methods
    const isRead = method === 'GET'
    const response = await fetch(`${url}${pathOf(route, input.params)}${queryOf(input.query)}`, {
      method,
      headers: {
        ...headers,
        ...(key !== undefined && { 'api-key': key }),
        ...(!isRead && { 'content-type': 'application/json' }),
      },
      ...(!isRead && { body: JSON.stringify(input.body ?? {}) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Refused(`${route.id} ${response.status}: ${text}`, response.status)
    return JSON.parse(text) as Wire<R>
  }
}

function pathOf(route: Route, params: unknown): string {
  const values = (params ?? {}) as Readonly<Record<string, unknown>>
  const path = route.paths[0].replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(values[name])))
  return path.startsWith('//') ? path.slice(1) : `/api/v1${path}`
}

function queryOf(query: unknown): string {
  const entries = Object.entries((query ?? {}) as Readonly<Record<string, unknown>>)
  const pairs = entries.flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, String(one)]))
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`
}
