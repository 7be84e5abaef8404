/** Answers of the server that are changed on their way to the page, for states that only trouble shows. */
import type { Page, Route } from 'playwright-core'

/** An answer that never comes: the page goes on waiting. */
export const HELD = Symbol('held')

/** Never answers, answers without asking the server, or changes what the server says. A refusal holds an `error`. */
export type Change = typeof HELD | object | ((answer: never) => unknown)

/** By address, that of a GET unless another method stands before it: `POST …/signin`. */
export type Changes = Readonly<Record<string, Change>>

export const API = '**/api/v1'

export type Row = Readonly<Record<string, unknown>>

const OK = 200
const UNAVAILABLE = 503

/** What the server says when it refuses. */
export function refusal(status: number, code: string, message: string, more: Row = {}) {
  return { status, error: { code, message, details: '', ...more } }
}

/** The server is there, and cannot answer. */
export const REFUSED = {
  error: {
    code: 'SERVICE_UNAVAILABLE',
    message: 'The database does not answer.',
    details: 'Try again in a moment.',
    requestId: '0199f0b2-6d6e-7c3a-9b1e-3f6f5b1a2c4d',
  },
}

/** Lets the page hear the changed answers from now on; what is cached is dropped. */
export async function alter(page: Page, changes: Changes, held: Route[]): Promise<void> {
  for (const [key, change] of Object.entries(changes)) {
    const [first = '', second] = key.split(' ')
    const [method, url] = second === undefined ? ['GET', first] : [first, second]
    await page.route(url, async (route) => {
      if (route.request().method() !== method) return route.fallback()
      if (change === HELD) return void held.push(route)
      if (typeof change !== 'function') return route.fulfill({ json: change, status: statusOf(change) })
      const response = await route.fetch()
      // A refusal, such as that too much was asked at once, is the page's to deal with.
      if (!response.ok()) return route.fulfill({ response })
      const json: unknown = change((await response.json()) as never)
      await route.fulfill({ json, status: statusOf(json) })
    })
  }
}

function statusOf(json: unknown): number {
  if (typeof json !== 'object' || json === null || !('error' in json)) return OK
  return 'status' in json && typeof json.status === 'number' ? json.status : UNAVAILABLE
}

/** Changes some rows of a list. */
export function each(isMeant: (row: Row) => boolean, more: Row): Change {
  return (rows: readonly Row[]) => rows.map((row) => (isMeant(row) ? { ...row, ...more } : row))
}

/** Changes the rows of a list that an answer holds. */
export function inside(name: string, more: Row) {
  return (answer: Row) => ({ ...answer, [name]: (answer[name] as readonly Row[]).map((row) => ({ ...row, ...more })) })
}
