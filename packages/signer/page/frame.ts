/**
 * The same page inside a dashboard: sandboxed, without an origin of its own. Jobs arrive and signatures leave as messages; the
 * recovery phrase stays here. Dashboards embed it on the sandbox and on test networks only.
 */

/** The message that the surrounding page may send: one job at a time. */
type JobMessage = { readonly kassaSigner: 'job'; readonly job: string }

/** Passes every job from the surrounding page to `take`, and announces that this page listens. */
export function listenForJobs(take: (job: string) => void): void {
  if (window.parent === window) return
  window.addEventListener('message', (event: MessageEvent<Partial<JobMessage> | null>) => {
    if (event.source !== window.parent) return
    const { data } = event
    if (data?.kassaSigner === 'job' && typeof data.job === 'string') take(data.job)
  })
  send({ kassaSigner: 'ready' })
}

/** Sends the signatures to the surrounding page. They can move money to the pinned collector only. */
export function sendSigned(file: string): void {
  if (window.parent !== window) send({ kassaSigner: 'signed', file })
}

/** A frame without an origin cannot know its parent's origin; the message holds no secret. */
function send(message: { readonly kassaSigner: string; readonly file?: string }): void {
  window.parent.postMessage(message, '*')
}
