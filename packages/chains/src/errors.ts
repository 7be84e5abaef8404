import { storableText } from './node/storable-text.ts'

/** Why a node could not be used; also the `kind` label of the error metric. */
export type RpcFailure = 'unreachable' | 'timeout' | 'limited' | 'too-large' | 'malformed' | 'internal' | 'inconsistent'

/** The node failed, not the question: ask another node, or this one later. */
export class RetryableRpcError extends Error {
  readonly kind: RpcFailure
  /** The node's own wish, from `retry-after`. */
  readonly retryAfterMs: number | undefined

  constructor(kind: RpcFailure, message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(storableText(message), { cause: options.cause })
    this.name = 'RetryableRpcError'
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs
  }
}

/** Whether a node did not answer at all: whatever else is asked of it now fails as well. */
export function isSilence(error: unknown): boolean {
  return error instanceof RetryableRpcError && ['unreachable', 'timeout', 'limited'].includes(error.kind)
}

/** The node understood the question and refused it; another node of this chain would too. */
export class NodeRejected extends Error {
  /** JSON-RPC error code or HTTP status, or null when we refuse the node ourselves (it serves another network). */
  readonly code: number | null

  constructor(message: string, code: number | null = null) {
    super(storableText(message))
    this.name = 'NodeRejected'
    this.code = code
  }
}

export type InputCode = 'ADDRESS_INVALID' | 'XPUB_INVALID' | 'XPUB_IS_PRIVATE' | 'PRIVATE_KEY_INVALID'

/** Text from a person that a chain cannot accept; the message is the reason and never contains the text. */
export class InvalidInput extends Error {
  readonly code: InputCode

  constructor(code: InputCode, reason: string) {
    super(reason)
    this.name = 'InvalidInput'
    this.code = code
  }
}
