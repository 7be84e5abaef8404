import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Replaces the answer of a node; null is no answer at all. */
export type Fault = (answer: string, request: string) => string | null

/** A node that lies or fails on command; otherwise it passes on the answers of the real one. */
export type FaultyNode = {
  readonly url: string
  /** Sets its fault from now on; null makes it honest. `ask` may change the request before. */
  readonly setFault: (answer: Fault | null, ask?: (request: string) => string) => void
  readonly stop: () => Promise<void>
}

/** Stands in front of a node, as an operator of its own. */
export async function faultyNode(target: string): Promise<FaultyNode> {
  let fault: Fault | null = null
  let asking = (request: string) => request
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const asked = Buffer.concat(chunks).toString()
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(target, { method: 'POST', body: asking(asked), headers })
      const text = await answer.text()
      const reply = fault ? fault(text, asked) : text
      response.writeHead(reply === null ? 503 : 200, headers)
      response.end(reply ?? '')
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setFault: (answer, ask = (request) => request) => {
      fault = answer
      asking = ask
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
