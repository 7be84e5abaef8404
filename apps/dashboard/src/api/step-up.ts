/** A call waits until its operator has proved to be present. */
export type StepUpRequest = {
  /** What the server asks for: `S` secrets and settings, `M` money. */
  readonly class: string
  readonly action: string
  readonly methods: readonly string[]
  /** Ends the wait: true repeats the call, false gives its refusal to the screen. */
  readonly settle: (proved: boolean) => void
}

let waiting: StepUpRequest | undefined
const listeners = new Set<() => void>()

function publish(next: StepUpRequest | undefined): void {
  waiting = next
  for (const listener of listeners) listener()
}

/** Asks the operator to prove presence and resolves to whether that worked; without a dialog on screen it did not. */
export function requestStepUp(data: Readonly<Record<string, unknown>>): Promise<boolean> {
  if (listeners.size === 0) return Promise.resolve(false)
  waiting?.settle(false)
  return new Promise((resolve) => {
    const settle = (proved: boolean) => {
      publish(undefined)
      resolve(proved)
    }
    const methods = Array.isArray(data.methods) ? data.methods.map(String) : ['password']
    publish({ class: textOf(data.class), action: textOf(data.action), methods, settle })
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
