import type { JsonCall } from '@kassa/chains/node/client.ts'
import { NodeRefusal } from '@kassa/chains/testing/fake-chain/answers.ts'

import type { NodeRequest } from './family.ts'

/** An answer with status 200. */
export function ok(text: string | Uint8Array): Response {
  return response(200, text)
}

/** The parts of a `Response` that the transport reads; a real one delivers its body at unpredictable times. */
export function response(
  status: number,
  text: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = [Buffer.from(text)]
  return { ok: status < 400, status, headers: new Headers(headers), body } as unknown as Response
}

/** The methods that a request of JSON-RPC names; of any other request, its path. */
export function methodsIn({ path, body }: NodeRequest): readonly string[] {
  return isJsonRpc({ path, body }) ? callsIn(body).map(({ method }) => method) : [path]
}

/** Whether a request speaks JSON-RPC, which has no paths. */
export function isJsonRpc({ path, body }: NodeRequest): boolean {
  return path === '/' && body !== null
}

type Asked = Pick<JsonCall, 'method' | 'params'> & { readonly id: number }

/** Answers each call of a request of JSON-RPC; a refusal is an answer too. */
export function replyJsonRpc(
  { body }: NodeRequest,
  answer: (call: Pick<JsonCall, 'method' | 'params'>) => unknown,
): Response {
  const reply = ({ id, method, params }: Asked): unknown => {
    try {
      return { jsonrpc: '2.0', id, result: answer({ method, params }) }
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error
      return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } }
    }
  }
  const asked = JSON.parse(body ?? 'null') as Asked | Asked[]
  return ok(JSON.stringify(Array.isArray(asked) ? asked.map(reply) : reply(asked)))
}

function callsIn(body: string | null): Asked[] {
  return [JSON.parse(body ?? 'null') as Asked | Asked[]].flat()
}
