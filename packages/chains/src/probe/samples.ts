import { isUtf8 } from 'node:buffer'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Fetch } from '../node/transport.ts'

/**
 * One request to a node and its answer, as both were sent. The path is the part below the node's URL, which is left out with
 * its keys.
 */
type Exchange = {
  readonly path: string
  readonly body: string | null
  readonly status: number
  readonly answer: string
  /** The answer is bytes, in Base64. */
  readonly isBinary?: true
}

/** The requests to a node and its answers, in order. */
export type Sample = readonly Exchange[]

/** A fetch that records every exchange. */
export function recordingFetch(
  nodeUrl: string,
  ask: Fetch = fetch,
): { readonly fetch: Fetch; readonly sample: Sample } {
  const sample: Exchange[] = []
  const recording: Fetch = async (url, init) => {
    const response = await ask(url, init)
    const bytes = Buffer.from(await response.arrayBuffer())
    const asked = { path: pathBelow(nodeUrl, url), body: init.body, status: response.status }
    sample.push({
      ...asked,
      ...(isUtf8(bytes) ? { answer: bytes.toString() } : { answer: bytes.toString('base64'), isBinary: true }),
    })
    return new Response(bytes, { status: response.status })
  }
  return { fetch: recording, sample }
}

/**
 * A fetch that gives the recorded answers. A repeated request gets the next recorded answer, and at the end the last one again.
 */
export function replayingFetch(nodeUrl: string, sample: Sample): Fetch {
  const answers = Map.groupBy(sample, ({ path, body }) => `${path} ${body ?? ''}`)
  return async (url, { body }) => {
    const known = answers.get(`${pathBelow(nodeUrl, url)} ${body ?? ''}`) ?? []
    const next = known.length > 1 ? known.shift() : known[0]
    if (!next) return new Response('', { status: 404 })
    return new Response(Buffer.from(next.answer, next.isBinary ? 'base64' : 'utf8'), { status: next.status })
  }
}

/** Packs a sample: a line of JSON for each exchange, compressed. */
export function packSample(sample: Sample): Buffer {
  return gzipSync(sample.map((exchange) => `${JSON.stringify(exchange)}\n`).join(''))
}

/** Reads a packed sample. */
export function unpackSample(bytes: Buffer): Sample {
  const lines = gunzipSync(bytes).toString().split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Exchange)
}

function pathBelow(nodeUrl: string, url: string): string {
  const base = new URL(nodeUrl).pathname.replace(/\/$/, '')
  return new URL(url).pathname.slice(base.length) || '/'
}
