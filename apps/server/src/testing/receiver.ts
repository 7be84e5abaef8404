import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request that reached the receiver. */
export type ReceivedRequest = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** What the receiver answers; `silence` accepts the request and never answers. */
export type ReceiverAnswer =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | 'silence'

export type Receiver = {
  readonly url: string
  /** Requests in the order they came. */
  readonly requests: ReceivedRequest[]
  /** Changes what is answered from now on. */
  readonly answerWith: (answer: ReceiverAnswer | ((request: ReceivedRequest) => ReceiverAnswer)) => void
  /** Answers the requests that were left without an answer. */
  readonly answerPending: (answer: Exclude<ReceiverAnswer, 'silence'>) => void
  /** Resolves when so many requests have come. */
  readonly hears: (count: number) => Promise<ReceivedRequest[]>
  readonly close: () => Promise<void>
}

/** A merchant's server on a loopback port of its own; it answers 200 until `answerWith` changes that. */
export async function startReceiver(): Promise<Receiver> {
  let answer: ReceiverAnswer | ((request: ReceivedRequest) => ReceiverAnswer) = { status: 200, body: 'ok' }
  const requests: ReceivedRequest[] = []
  const waiting = new Set<() => void>()
  const pending: ServerResponse[] = []
  const server = createServer((incoming, outgoing) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => void parts.push(part))
    incoming.on('end', () => {
      const { method = '', url: path = '', headers } = incoming
      const request = { method, path, headers, body: Buffer.concat(parts).toString('utf8') }
      requests.push(request)
      for (const check of waiting) check()
      const now = typeof answer === 'function' ? answer(request) : answer
      if (now === 'silence') pending.push(outgoing)
      else reply(outgoing, now)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    requests,
    answerWith: (next) => void (answer = next),
    answerPending: (answer) => {
      for (const outgoing of pending.splice(0)) reply(outgoing, answer)
    },
    hears: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (requests.length < count) return
          waiting.delete(check)
          resolve(requests)
        }
        waiting.add(check)
        check()
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function reply(outgoing: ServerResponse, answer: Exclude<ReceiverAnswer, 'silence'>): void {
  outgoing.writeHead(answer.status, answer.headers)
  outgoing.end(answer.body ?? '')
}
