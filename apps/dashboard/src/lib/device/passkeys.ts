/** Passkeys of this browser. What speaks with them is loaded with the first question. */

/** A question or an answer of WebAuthn as JSON. */
export type PasskeyJson = Readonly<Record<string, unknown>>

const library = () => import('@simplewebauthn/browser')

/** Whether this browser knows passkeys; on pages without https it says that it does not. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function'
}

/** Whether the browser offers passkeys in the list of a field. */
export async function offersPasskeys(): Promise<boolean> {
  return hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true
}

/** Makes a passkey; undefined when the person, or the time, ended it. */
export async function makePasskey(question: PasskeyJson): Promise<PasskeyJson | undefined> {
  const { startRegistration } = await library()
  type Question = Parameters<typeof startRegistration>[0]['optionsJSON']
  const answer = startRegistration({ optionsJSON: question as unknown as Question })
  return unlessEnded(answer)
}

/**
 * Asks a passkey, by a question of the browser or, with `inList`, when its owner chooses one from the list of a field. Undefined
 * when the person, the time or another question ended it.
 */
export async function askPasskeyOf(question: PasskeyJson, { inList = false } = {}): Promise<PasskeyJson | undefined> {
  const { startAuthentication } = await library()
  type Question = Parameters<typeof startAuthentication>[0]['optionsJSON']
  const answer = startAuthentication({ optionsJSON: question as unknown as Question, useBrowserAutofill: inList })
  return unlessEnded(answer)
}

/** Ends a question that still waits. */
export async function endQuestion(): Promise<void> {
  const { WebAuthnAbortService } = await library()
  WebAuthnAbortService.cancelCeremony()
}

async function unlessEnded(answer: Promise<object>): Promise<PasskeyJson | undefined> {
  try {
    return { ...(await answer) }
  } catch (thrown) {
    const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown
    const names = [thrown, cause].map((one) => (one instanceof Error ? one.name : ''))
    if (names.some((name) => name === 'NotAllowedError' || name === 'AbortError')) return undefined
    throw thrown
  }
}
