import type { Logger } from 'pino'

import { runServer, type Server } from './server.ts'
import { isAlive } from '../../process/processes.ts'

/** How often the process is checked: cheap, because it reads one small file. While PostgreSQL is down the API answers 503. */
const CHECK_EVERY_MS = 1000

export type ServerSupervisor = {
  /** Stops checking; resolves to the process id of the server that runs then. */
  readonly stop: () => Promise<number>
}

/** Restarts the built-in PostgreSQL when its process has ended unexpectedly: out of memory, or killed. */
export function superviseServer(server: Server, firstPid: number, log: Logger): ServerSupervisor {
  let pid = firstPid
  let starting: Promise<void> | undefined
  const timer = setInterval(() => {
    if (starting || isAlive(pid)) return
    starting = startAgain().finally(() => (starting = undefined))
  }, CHECK_EVERY_MS)
  timer.unref()

  async function startAgain(): Promise<void> {
    log.error({ pid }, 'the built-in PostgreSQL has stopped; it is started again')
    try {
      ;({ pid } = await runServer(server))
      log.info({ pid }, 'built-in PostgreSQL is ready')
    } catch (err) {
      log.error({ err }, 'the built-in PostgreSQL did not start; it is tried again')
    }
  }

  return {
    stop: async () => {
      clearInterval(timer)
      await starting
      return pid
    },
  }
}
