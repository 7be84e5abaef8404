import { onSessionEnd } from './session.ts'

/** A call waits until its operator has proved to be present. */
export type StepUpRequest = {
  /** Tells it from the request before it. */
  readonly id: number
  /** What the server asks for: `S` secrets and settings, `M` money. */
  readonly class: string
  readonly action: string
  readonly methods: readonly string[]
  /** The call as it goes out again: what the server is asked to describe. */
  readonly subject: Readonly<Record<string, unknown>>
  /** Ends the wait: a proof repeats the call, null gives its refusal to the screen. */
  readonly settle: (proof: StepUpProof | null) => void
}

/** A proof of presence; its token where it was given for one described action alone. */
export type StepUpProof = { readonly token?: string | undefined }

let waiting: StepUpRequest | undefined
let requests = 0
const listeners = new Set<() => void>()

function publish(next: StepUpRequest | undefined): void {
  waiting = next
  for (const listener of listeners) listener()
}

/**
 * Asks the operator to prove presence for a call; null when that did not work, no dialog is on screen, or the session ends:
 * whoever signs in next proves nothing for it.
 */
export function requestStepUp(
  data: Readonly<Record<string, unknown>>,
  subject: StepUpRequest['subject'],
): Promise<StepUpProof | null> {
  if (listeners.size === 0) return Promise.resolve(null)
  waiting?.settle(null)
  requests += 1
  const id = requests
  return new Promise((resolve) => {
    const settle = (proof: StepUpProof | null) => {
      stop()
      // A proof that comes late ends no other wait.
      if (waiting?.id === id) publish(undefined)
      resolve(proof)
    }
    const stop = onSessionEnd(() => settle(null))
    const methods = Array.isArray(data.methods) ? data.methods.map(String) : ['password']
    publish({ id, class: textOf(data.class), action: textOf(data.action), methods, subject, settle })
  })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The proof a call waits for now. */
export function waitingStepUp(): StepUpRequest | undefined {
  return waiting
}

/** Calls `listener` whenever a proof is asked for or given. */
export function onStepUp(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
