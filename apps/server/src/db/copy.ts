import { once } from 'node:events'
import type { Duplex } from 'node:stream'

import type pg from 'pg'

/** What `pg` offers a statement that speaks the COPY protocol; its types leave some of it out. */
type CopyConnection = {
  readonly stream: Duplex
  readonly query: (text: string) => void
  readonly sendCopyFromChunk: (chunk: Buffer) => void
  readonly endCopyFrom: () => void
  readonly sendCopyFail: (reason: string) => void
}

/** Rows that were read but not yet consumed; the server waits when there are more. */
const MOST_WAITING = 1_048_576

/**
 * Runs a `COPY … TO STDOUT` and returns its output piece by piece, as fast as the reader consumes it, however large the table.
 */
export async function* copyOut(client: pg.Client, text: string): AsyncGenerator<Buffer, void> {
  let waiting: Buffer[] = []
  let bytes = 0
  let isOver = false
  const failures: Error[] = []
  let wake: () => void = () => undefined
  const socket: { stream?: Duplex } = {}
  const end = (error: Error | null) => {
    if (error) failures.push(error)
    isOver = true
    wake()
  }
  client.query({
    submit: (connection: unknown) => {
      const copying = connection as CopyConnection
      socket.stream = copying.stream
      copying.query(text)
    },
    handleCopyData: ({ chunk }: { chunk: Buffer }) => {
      // The client reads the next rows into the same memory, so this copies them.
      waiting.push(Buffer.from(chunk))
      bytes += chunk.length
      if (bytes > MOST_WAITING) socket.stream?.pause()
      wake()
    },
    handleCommandComplete: () => undefined,
    handleReadyForQuery: () => end(null),
    handleError: (error: Error) => end(error),
  })
  try {
    for (;;) {
      if (waiting.length === 0 && !isOver) await new Promise<void>((resolve) => void (wake = resolve))
      const taken = waiting
      ;[waiting, bytes] = [[], 0]
      socket.stream?.resume()
      yield* taken
      if (isOver && waiting.length === 0) break
    }
    const [failure] = failures
    if (failure) throw failure
  } finally {
    // A reader that leaves early leaves a connection in the middle of an answer, so it is closed.
    if (!isOver) socket.stream?.destroy()
  }
}

/** Runs a `COPY … FROM STDIN` with these bytes. @throws what the server or the source fails with; nothing is stored then */
export async function copyIn(client: pg.Client, text: string, source: AsyncIterable<Buffer>): Promise<void> {
  const ready = Promise.withResolvers<CopyConnection>()
  const over = Promise.withResolvers<undefined>()
  let hasFailed = false
  const fail = (error: Error) => {
    hasFailed = true
    ready.reject(error)
    over.reject(error)
  }
  over.promise.catch(() => undefined)
  client.query({
    submit: (connection: unknown) => (connection as CopyConnection).query(text),
    handleCopyInResponse: (connection: unknown) => ready.resolve(connection as CopyConnection),
    handleCommandComplete: () => undefined,
    handleReadyForQuery: () => over.resolve(undefined),
    handleError: fail,
  })
  const connection = await ready.promise
  try {
    for await (const chunk of source) {
      if (hasFailed) break
      connection.sendCopyFromChunk(chunk)
      if (connection.stream.writableNeedDrain) await Promise.race([once(connection.stream, 'drain'), over.promise])
    }
  } catch (error) {
    if (!hasFailed) connection.sendCopyFail('the source failed')
    await over.promise.catch(() => undefined)
    throw error
  }
  if (!hasFailed) connection.endCopyFrom()
  await over.promise
}
