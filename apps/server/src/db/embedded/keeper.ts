import type { Logger } from 'pino'

import { runServer, type Server } from './server.ts'
import { isAlive } from '../../process/processes.ts'

/** A look costs one small file; until somebody looks, every call is answered with 503. */
const LOOK_EVERY_MS = 1000

export type Keeper = {
  /** Looks no more; resolves to the process id of the server that runs then. */
  readonly stop: () => Promise<number>
}

/** Starts the server again when it is gone although nobody stopped it: out of memory, or killed by somebody. */
export function keepRunning(server: Server, firstPid: number, log: Logger): Keeper {
  let pid = firstPid
  let starting: Promise<void> | undefined
  const timer = setInterval(() => {
    if (starting || isAlive(pid)) return
    starting = startAgain().finally(() => (starting = undefined))
  }, LOOK_EVERY_MS)
  timer.unref()

  async function startAgain(): Promise<void> {
    log.error({ pid }, 'the built-in PostgreSQL is gone; it is started again')
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
