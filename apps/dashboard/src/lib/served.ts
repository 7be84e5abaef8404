let isInDoubt = false

/** Whether the program itself answers; a proxy that says 502 during a deployment would take the page's place. */
export async function isServed(): Promise<boolean> {
  return fetch('/', { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Notes what the live connection noticed: a lost one puts in doubt whether anybody answers. */
export function noteServed(isLive: boolean): void {
  isInDoubt = !isLive
}

/**
 * Whether code may be asked for. Browsers remember code that did not arrive as missing until the page is loaded anew, so
 * where it is in doubt whether somebody answers, that is asked first.
 */
export async function mayAskForCode(): Promise<boolean> {
  if (isInDoubt || !navigator.onLine) isInDoubt = !(await isServed())
  return !isInDoubt
}

/** Loads code that a press needs; undefined where nobody answers for it, and the next press may ask again. */
export async function loadCode<Module>(load: () => Promise<Module>): Promise<Module | undefined> {
  return (await mayAskForCode()) ? load().catch(() => undefined) : undefined
}
