let isUncertain = false

/** A host that swallows packets answers never. */
const TIMEOUT_MS = 5_000

/** Whether the program itself answers; a proxy that says 502 during a deployment would take the page's place. */
export async function isServerReachable(): Promise<boolean> {
  return fetch('/', { method: 'HEAD', signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Notes what the live connection noticed: a lost one puts in doubt whether anybody answers. */
export function noteConnection(isLive: boolean): void {
  isUncertain = !isLive
}

/**
 * Whether code may be asked for. Some browsers remember code that did not arrive as missing until the page is loaded anew, so
 * where it is unknown whether the server answers, that is asked first.
 */
export async function mayLoadCode(): Promise<boolean> {
  if (isUncertain || !navigator.onLine) isUncertain = !(await isServerReachable())
  return !isUncertain
}

/**
 * Loads code, or says why it is not there. While the server does not answer, another try may load it. Code that is missing although
 * it answers was removed by a deployment, or the browser remembers it as missing: a reload brings it.
 */
export async function loadCode<Module extends object>(
  load: () => Promise<Module>,
): Promise<Module | 'unanswered' | 'missing'> {
  if (!(await mayLoadCode())) return 'unanswered'
  return load().catch(async () => {
    // The live connection may take a minute to notice that the server does not answer.
    isUncertain = true
    return (await mayLoadCode()) ? 'missing' : 'unanswered'
  })
}

/** Reloads the page where the server answers; returns whether it did. */
export async function reloadIfReachable(): Promise<boolean> {
  const served = await isServerReachable()
  if (served) window.location.reload()
  return served
}
