/**
 * The same page inside a dashboard: sandboxed, without an origin of its own. Jobs come in and signatures go out as messages; the
 * words stay here. A dashboard embeds it on the sandbox and on test networks only.
 */

/** What a page around this one may say: one job at a time. */
type JobMessage = { readonly kassaSigner: 'job'; readonly job: string }

/** Hands every job that the page around this one sends to `take`, and says that this one listens. */
export function listenForJobs(take: (job: string) => void): void {
  if (window.parent === window) return
  window.addEventListener('message', (event: MessageEvent<Partial<JobMessage> | null>) => {
    if (event.source !== window.parent) return
    const { data } = event
    if (data?.kassaSigner === 'job' && typeof data.job === 'string') take(data.job)
  })
  send({ kassaSigner: 'ready' })
}

/** Gives the page around this one what was signed: it moves money to the pinned collector only, whoever has it. */
export function sendSigned(file: string): void {
  if (window.parent !== window) send({ kassaSigner: 'signed', file })
}

/** A frame without an origin cannot know that of its parent; nothing secret is in what it says. */
function send(message: { readonly kassaSigner: string; readonly file?: string }): void {
  window.parent.postMessage(message, '*')
}
