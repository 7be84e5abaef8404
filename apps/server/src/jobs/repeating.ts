import { asSystem, type Context } from '../context.ts'
import type { ReportRun } from './jobs.ts'
import type { Running } from './worker-group.ts'

type Repeated = {
  /** In worker reports. */
  readonly name: string
  readonly everyMs: number
  /** The announcements that wake it early. */
  readonly wakesOn: string | readonly string[]
  readonly run: (ctx: Context) => Promise<unknown>
  readonly reportRun: ReportRun
}

/** Runs something again and again, one run at a time, and at once when it is woken. `stop` waits for the run in progress. */
export function startRepeating(ctx: Context, { name, everyMs, wakesOn, run, reportRun }: Repeated): Running {
  const system = asSystem(ctx)
  const names: ReadonlySet<string> = new Set([wakesOn].flat())
  let running: Promise<void> | undefined
  let isAsked = false
  let isStopped = false
  const ask = () => {
    isAsked = true
    running ??= work().finally(() => {
      running = undefined
    })
  }
  const work = async () => {
    while (isAsked && !isStopped) {
      isAsked = false
      try {
        await run(system)
        reportRun(name, null)
      } catch (err) {
        ctx.log.error({ err }, `${name} failed`)
        reportRun(name, err instanceof Error ? err.message : String(err))
      }
    }
  }
  const unsubscribe = ctx.live.subscribe((message) => {
    if (message === null || names.has(message.name)) ask()
  })
  const timer = setInterval(ask, everyMs)
  ask()
  return {
    stop: async () => {
      isStopped = true
      unsubscribe()
      clearInterval(timer)
      await running
    },
  }
}
