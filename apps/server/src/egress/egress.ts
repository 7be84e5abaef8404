import type { Socket } from 'node:net'

import type { NodeOptions } from '@kassa/chains/node/client.ts'
import type { EGRESS_PURPOSES } from '@kassa/contract/settings/keys.ts'

/** The guarded way for all calls that leave the server (api.md 1.8). */
export type EgressPurpose = (typeof EGRESS_PURPOSES)[number]

export type EgressRequest = {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Ends sooner than after the usual 15 s. */
  readonly timeoutMs?: number
  /**
   * Only the head of the answer matters: at most this many bytes of the body are read, for at most a second, and a body that
   * breaks off is accepted as it is.
   */
  readonly excerptBytes?: number
}

export type EgressResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** At most 64 KiB of the answer. */
  readonly body: string
}

/** A fetch for long answers: the caller limits their time and size. */
export type EgressFetch = NonNullable<NodeOptions['fetch']>

export type Egress = {
  /** Refuses an address that is private, or not allowed for the purpose, with a sentence. @throws EGRESS_NOT_ALLOWED */
  readonly check: (purpose: EgressPurpose, url: string) => void
  /** One request, at most 15 s, no redirect followed. @throws EGRESS_NOT_ALLOWED, or an Error that says what failed */
  readonly request: (purpose: EgressPurpose, request: EgressRequest) => Promise<EgressResponse>
  /** The same guard for a node's client. */
  readonly fetch: (purpose: EgressPurpose) => EgressFetch
  /** Refuses, like `check`, the host of a server that is not called by HTTP. @throws EGRESS_NOT_ALLOWED */
  readonly checkHost: (purpose: EgressPurpose, host: string) => void
  /** A connection to such a server, plain, within 15 s. @throws EGRESS_NOT_ALLOWED, or an Error that says what failed */
  readonly connect: (
    purpose: EgressPurpose,
    server: { readonly host: string; readonly port: number },
  ) => Promise<Socket>
  /** Reads again which private networks are open; without it, a change takes effect within seconds. */
  readonly refresh: () => Promise<void>
}
