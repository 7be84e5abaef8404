/** A shop's webhook receiver on this machine: it keeps what arrives, and answers as told. */
import { createServer, type IncomingHttpHeaders } from 'node:http'

export type Message = { readonly headers: IncomingHttpHeaders; readonly text: string }

export type Receiver = {
  readonly url: string
  /** In the order of arrival. */
  readonly messages: readonly Message[]
  readonly close: () => void
}

/** Listens on loopback and answers every message with the status `answer` gives. */
export function openReceiver(answer: (message: Message) => number): Promise<Receiver> {
  const messages: Message[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const message = { headers: request.headers, text: Buffer.concat(parts).toString('utf8') }
      messages.push(message)
      response.writeHead(answer(message)).end()
    })
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      resolve({ url: `http://127.0.0.1:${port}/kassa`, messages, close: () => void server.close() })
    })
  })
}
