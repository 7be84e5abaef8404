import { type App, createApp } from '../../apps/server/src/app.ts'
import { openDatabase } from '../../apps/server/src/db/database.ts'
import { startPostgres } from '../../apps/server/src/db/embedded/start-postgres.ts'
import { migrate } from '../../apps/server/src/db/migrate.ts'
import { createLog } from '../../apps/server/src/log/log.ts'
import { testConfig, testKeys } from '../../apps/server/src/testing/config.ts'
import { clearLayout, newLayout } from '../../e2e/instance.ts'
import type { Cleanup } from './figure.ts'
import type { Pool } from './limits.ts'

type Program = { readonly app: App; readonly pool: Pool; readonly home: string }

/** Starts the program in this process on a durable database. */
export async function openProgram(cleanup: Cleanup, trustedProxies: string[] = []): Promise<Program> {
  const layout = await newLayout()
  cleanup(() => clearLayout(layout))
  const log = createLog('silent')
  const postgres = await startPostgres({ home: layout.home, log })
  cleanup(postgres.stop)
  await migrate(postgres.url)
  const database = openDatabase(postgres.url)
  cleanup(database.close)
  const config = testConfig(postgres.url, { trustedProxies })
  const app = await createApp(config, { keys: testKeys(), log, isTest: true })
  cleanup(app.close)
  return { app, pool: database.pool, home: layout.home }
}
